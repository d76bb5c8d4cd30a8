//! Checks that each sentence is recognised, whatever its placeholders hold.

use super::*;

/// The sentence in one language with a value in each placeholder.
fn filled(text: &Text, lang: Lang) -> String {
    let places = text.places(lang);
    let values: Vec<(&str, String)> = places
        .iter()
        .enumerate()
        .map(|(n, name)| (*name, format!("x{n}")))
        .collect();
    let values: Vec<(&str, &str)> = values.iter().map(|(name, v)| (*name, &**v)).collect();
    text.with(lang, &values)
}

#[test]
fn each_is_told_as_itself() {
    for text in ALL.iter() {
        let chinese = filled(text, Lang::Zh);
        let english = filled(text, Lang::En);
        // Some Chinese sentences contain fixed advice instead of a placeholder.
        if text.places(Lang::En) == text.places(Lang::Zh) {
            assert_eq!(translated(&english, Lang::Zh), chinese, "{english}");
        } else {
            assert!(translated(&english, Lang::Zh).contains("提示"), "{english}");
        }
        assert_eq!(translated(&english, Lang::En), english);
    }
}

#[test]
fn no_english_is_left_but_what_stands_in_backticks() {
    for text in ALL.iter() {
        let prose: Vec<&str> = text.1.split('`').step_by(2).collect();
        let prose = prose.join(" ");
        let mut names = text.places(Lang::Zh);
        names.extend(["JSON", "MiB", "GiB", "llama", "cpp", "os", "error"]);
        let words = prose.split(|c: char| !c.is_ascii_alphabetic());
        let left: Vec<&str> = words
            .filter(|word| word.len() > 1 && !names.contains(word))
            .collect();
        assert_eq!(left, Vec::<&str>::new(), "{}", text.1);
    }
}

#[test]
fn a_sentence_within_a_sentence_is_told_too() {
    for (recorded, chinese) in [
        (
            "the reply does not fit the schema: at `positions[0]`: missing field `stance`",
            "回复不符合结构要求：`positions[0]` 处：缺少字段 `stance`",
        ),
        (
            "`openai` at http://127.0.0.1:1: no whole answer came within 0.5 s",
            "`openai`（http://127.0.0.1:1）：0.5 秒内没有收到完整的回答",
        ),
        (
            "`openai`: no connection (Connection refused (os error 111))",
            "`openai`：无法连接（连接被拒绝（os error 111））",
        ),
        (
            "the reply holds no JSON object: `,` or `}` expected 17 bytes into the object",
            "回复中没有 JSON 对象：对象第 17 字节处应为 `,` 或 `}`",
        ),
        (
            "the path leaves the repository: `../x`; left out",
            "路径超出了仓库：`../x`，已略去",
        ),
        (
            "an edit of `a.py` does not fit: its `old`, which begins `x = 1`, occurs 2 times, not once",
            "`a.py` 的修改不适用：其中的 `old`（开头是 `x = 1`）出现了 2 次，应当正好一次",
        ),
        (
            "an edit of `b.py` does not fit: the copy has no such file of at most 4 MiB",
            "`b.py` 的修改不适用：副本中没有这样一个不超过 4 MiB 的文件",
        ),
        // A provider's own words are not translated.
        (
            "`openai` at https://h: 429 Too Many Requests: slow down",
            "`openai`（https://h）：429 Too Many Requests: slow down",
        ),
        ("slow down", "slow down"),
    ] {
        assert_eq!(translated(recorded, Lang::Zh), chinese);
    }
}
