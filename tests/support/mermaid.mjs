// Parses diagrams with Mermaid's own parsers: reads a JSON list of sources from standard input and
// prints a list with the number of edges of each, or its error. The argument is the folder
// `node_modules` that contains `mermaid`.
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

// The browser API that Mermaid needs for parsing; nothing is drawn here.
globalThis.window = { CSS: { supports: () => true } };
const folder = resolve(process.argv[2]);
const find = createRequire(resolve(folder, 'mermaid/dist/mermaid.core.mjs'));
const purify = (await import(pathToFileURL(find.resolve('dompurify').replace('purify.cjs.js', 'purify.es.mjs')))).default;
purify.sanitize = (text) => text;
purify.addHook = () => {};
const { default: mermaid } = await import(pathToFileURL(resolve(folder, 'mermaid/dist/mermaid.core.mjs')));
await mermaid.parse('flowchart LR\n  A');

const edges = {
  'flowchart-v2': (db) => db.getEdges(),
  sequence: (db) => db.getMessages().filter((one) => one.from && one.to && one.placement === undefined),
};
let text = '';
for await (const part of process.stdin) text += part;
const read = [];
for (const source of JSON.parse(text)) {
  try {
    const { type, db } = await mermaid.mermaidAPI.getDiagramFromText(source);
    read.push({ type, edges: (edges[type]?.(db) ?? []).length });
  } catch (error) {
    read.push({ error: String(error.message ?? error) });
  }
}
console.log(JSON.stringify(read));
