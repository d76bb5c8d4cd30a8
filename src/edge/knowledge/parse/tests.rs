#![allow(clippy::unwrap_used)]
use super::*;

/// `kind name from-to`, one definition per line.
fn definitions(path: &str, text: &str) -> Vec<String> {
    let parsed = parse(path, text);
    let shown = parsed.definitions.iter();
    let shown = shown.map(|one| {
        let Definition {
            qualified,
            from,
            to,
            ..
        } = one;
        let kind = format!("{:?}", one.kind).to_lowercase();
        format!("{kind} {qualified} {from}-{to}")
    });
    shown.collect()
}

/// `languages.txt`: `====` is followed by a path, then its text; `>>>>` by the definitions in it.
#[test]
fn every_language_names_its_definitions_with_what_stands_above_them() {
    for case in include_str!("languages.txt").split("==== ").skip(1) {
        let (path, rest) = case.split_once('\n').unwrap();
        let (text, wanted) = rest.split_once(">>>>\n").unwrap();
        if path != "a.cs" || cfg!(feature = "csharp") {
            let wanted: Vec<&str> = wanted.lines().collect();
            assert_eq!(definitions(path, text), wanted, "{path}");
        }
    }
}

#[test]
fn chunks_are_whole_definitions_members_of_long_ones_and_blocks() {
    let chunks = |path: &str, text: &str| -> Vec<String> {
        let parsed = parse(path, text);
        let shown = parsed.chunks.iter();
        shown
            .map(|c| format!("{} {}-{}", c.name, c.from, c.to))
            .collect()
    };
    let small =
        "import x\n\nclass A:\n    def f(self):\n        pass\n    def g(self):\n        pass\n";
    assert_eq!(chunks("a.py", small), [" 1-1", "A 3-7"]);
    let body = "        x = 1\n".repeat(12);
    let long = format!("class A:\n    y = 1\n\n    def f(self):\n{body}\n    def g(self):\n{body}");
    assert_eq!(chunks("a.py", &long), ["A 1-2", "A.f 4-16", "A.g 18-30"]);
    let steps: String = (0..16)
        .map(|n| format!("    if a{n} {{\n        b();\n    }}\n"))
        .collect();
    let long = format!("fn f() {{\n{steps}}}\n");
    let cut = chunks("a.rs", &long);
    assert_eq!(cut, ["f 1-19", "f 20-40", "f 41-50"]);
    let text: String = (0..45).map(|n| format!("line {n}\n")).collect();
    assert_eq!(chunks("a.txt", &text), [" 1-20", " 21-45"]);
}

/// Broken, unusual and very long texts: every line that is not blank is in one chunk, except
/// leftover brackets.
#[test]
fn no_text_is_too_strange() {
    let deep = "(".repeat(20_000);
    let nested: String = (0..300).map(|n| format!("mod m{n} {{\n")).collect();
    let wide = "let x = 1;".repeat(4_000);
    let many = "fn f() {} fn g() {}\nstruct A; struct B;\n".repeat(50);
    let texts = [
        "",
        "\n\n",
        "}\n}\n",
        "fn",
        "class",
        "\u{feff}fn f() {}\r\n\r\nfn g() {}\r\n",
        &deep,
        &nested,
        &wide,
        &many,
        "def f(:\n  \u{0}\n",
        "# a\n# b\n",
        "````\n# x\n```\n# y\n",
    ];
    for path in [
        "a.rs", "a.py", "a.tsx", "a.ts", "a.go", "a.java", "a.h", "a.rb", "a.php", "a.md", "a.rst",
        "a",
    ] {
        for text in texts {
            let parsed = parse(path, text);
            let lines: Vec<&str> = text.lines().collect();
            let mut seen = vec![0; lines.len()];
            for chunk in &parsed.chunks {
                for line in chunk.from..=chunk.to {
                    seen[line as usize - 1] += 1;
                }
            }
            for (line, seen) in lines.iter().zip(&seen) {
                let is_rest = line.trim().len() < 3;
                assert!(
                    *seen == 1 || (is_rest && *seen == 0),
                    "{path} {seen}: {line:.40}"
                );
            }
            for one in &parsed.definitions {
                assert!((one.from..=one.to).contains(&one.at), "{path}: {one:?}");
                assert!(one.to as usize <= lines.len());
            }
        }
    }
}

#[test]
fn a_name_is_mentioned_where_it_is_a_word() {
    let text = "fn load() {}\nreload(); preload\nself.load();\nload_all\n";
    assert_eq!(mentions(text, "load").collect::<Vec<_>>(), [1, 3]);
}
