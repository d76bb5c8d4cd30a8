//! A call as a page for a person who answers by hand: the prompt, the form of the reply, and how to
//! submit it.

use crate::chat::{ChatRequest, ChatRole};
use crate::fault::texts;
use crate::machine::Inputs;

texts! {
    HEAD: "<!-- Call {n} of {version}, `{call}`: answered for {member} by hand. The reply goes into `{file}`. -->", "<!-- {version} 的调用 {n}，`{call}`：由人工代 {member} 回答。回复写入 `{file}`。 -->";
    EARLIER: "----- your earlier reply -----\n{text}\n----- end of it -----", "----- 您先前的回复 -----\n{text}\n----- 结束 -----";
    FORM: "---\n\n# Your reply\n\nReply with one JSON object that obeys this JSON Schema, and nothing else; it may be in a ```json block. Write it strictly from this prompt.\n\n```json\n{schema}\n```", "---\n\n# 您的回复\n\n请只回复一个符合以下 JSON Schema 的 JSON 对象，可放在 ```json 代码块中。内容须完全依据本提示词。\n\n```json\n{schema}\n```";
    HAND_IN: "## For whoever hands it in\n\n- Write the reply to `{file}`, beside this file, then run `aitc resume {version}`.\n- Or run `aitc reply {n} --run {version} -f FILE`, with `-` in place of FILE for standard input: it says at once what is wrong with the reply. `--as NAME` puts on record who wrote it.\n- `aitc next --run {version}` goes on and prints the next prompt.\n", "## 如何提交\n\n- 把回复写入本文件旁的 `{file}`，然后运行 `aitc resume {version}`。\n- 或运行 `aitc reply {n} --run {version} -f FILE`（用 `-` 代替 FILE 则读取标准输入）：回复如有问题会立即指出。`--as NAME` 记录回复者。\n- `aitc next --run {version}` 继续运行并输出下一个提示词。\n";
}

/// The page of call `n`. The same call always gives the same bytes.
pub fn page(inputs: &Inputs, n: u32, request: &ChatRequest) -> String {
    let lang = inputs.doc_lang;
    let (version, file) = (inputs.run().to_string(), format!("{n:03}.reply.md"));
    let (number, call) = (n.to_string(), request.call.to_string());
    let values = [
        ("n", number.as_str()),
        ("version", version.as_str()),
        ("file", file.as_str()),
        ("call", call.as_str()),
        ("member", inputs.roles.code(&request.call.member)),
        ("schema", request.schema.bounded.text()),
    ];
    let mut parts = vec![HEAD.with(lang, &values)];
    parts.extend(request.messages.iter().map(|message| match message.role {
        ChatRole::System | ChatRole::User => message.content.to_string(),
        ChatRole::Assistant => EARLIER.with(lang, &[("text", &*message.content)]),
    }));
    parts.push(FORM.with(lang, &values));
    parts.push(HAND_IN.with(lang, &values));
    parts.join("\n\n")
}
