// Parses exported files like their targets: the first argument is the folder `node_modules` with
// their packages, the second the kind; the text is read from standard input. `wiki`: everything
// except plain text that Jira's parser finds in a description. `markdown`: the same for GitHub's
// Markdown. `csv`: the rows that Linear's importer reads.
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, kind] = [resolve(process.argv[2]), process.argv[3]];
const require = createRequire(resolve(folder, 'none.cjs'));
// Silence the packages' own messages.
console.warn = console.error = () => {};
const load = (name) => import(pathToFileURL(resolve(folder, name)));

const readers = {
  wiki(text) {
    const { WikiMarkupTransformer } = require('@atlaskit/editor-wikimarkup-transformer');
    // Treat every key as that of an existing issue.
    const keys = text.match(/[A-Z][A-Z0-9_]*-\d+/g) ?? [];
    const inlineCardConversion = Object.fromEntries(keys.concat('AC-1').map((key) => [key, `https://jira.example/${key}`]));
    const tree = new WikiMarkupTransformer().parse(text, { conversion: { inlineCardConversion } });
    const found = [];
    tree.descendants((node) => {
      const marks = node.marks.filter((mark) => mark.type.name === 'link');
      const isLoud = ['mention', 'inlineCard', 'blockCard', 'media', 'extension', 'inlineExtension'].includes(node.type.name);
      if (isLoud || marks.length > 0) found.push(`${node.type.name} ${node.text ?? JSON.stringify(node.attrs)}`);
    });
    return found;
  },
  async markdown(text) {
    const { remark } = await load('remark/index.js');
    const { default: gfm } = await load('remark-gfm/index.js');
    const { default: github } = await load('remark-github/index.js');
    const reader = remark().use(gfm).use(github, { repository: 'team/shop' });
    const tree = await reader.run(reader.parse(text));
    const found = [];
    const look = (node) => {
      if (['link', 'image', 'html', 'linkReference', 'imageReference', 'footnoteReference'].includes(node.type)) found.push(`${node.type} ${node.url ?? node.value}`);
      node.children?.forEach(look);
    };
    look(tree);
    return found;
  },
  async csv(text) {
    return require('csvtojson')().fromString(text);
  },
};
let text = '';
for await (const part of process.stdin) text += part;
console.log(JSON.stringify(await readers[kind](text)));
