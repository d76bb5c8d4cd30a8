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
        format!("{} {qualified} {from}-{to}", one.kind.word())
    });
    shown.collect()
}

#[test]
fn every_language_names_its_definitions_with_what_stands_above_them() {
    for (path, text, wanted) in [
        (
            "a.rs",
            "use x;\n\n/// Loads.\n#[must_use]\npub fn load() {}\n\nimpl<T> Store<T> for Disk<T> {\n    // Puts.\n    fn put(&self) {}\n}\n\nmod inner {\n    const MOST: u8 = 1;\n}\nmacro_rules! say { () => {} }\n",
            &[
                "function load 3-5",
                "impl Disk 7-10",
                "function Disk.put 8-9",
                "module inner 12-14",
                "constant inner.MOST 13-13",
                "macro say 15-15",
            ][..],
        ),
        (
            "a.py",
            "import x\n\n# About it.\n@cached\nclass A(B):\n    @property\n    def name(self):\n        return 1\n\ntry:\n    def f(): ...\nexcept ImportError:\n    pass\n",
            &["class A 3-8", "function A.name 6-8", "function f 11-11"],
        ),
        (
            "a.ts",
            "/** Adds. */\nexport const add = (a: number) => a + 1\nexport default class A {\n  run(): void {}\n}\ninterface I { x: number }\ntype T = string\nnamespace N {\n  export function g() {}\n}\nenum E { A }\n",
            &[
                "function add 1-2",
                "class A 3-5",
                "function A.run 4-4",
                "interface I 6-6",
                "type T 7-7",
                "module N 8-10",
                "function N.g 9-9",
                "class E 11-11",
            ],
        ),
        (
            "a.jsx",
            "const View = () => <b>{1}</b>\nfunction* g() {}\nvar a = 1, b\n",
            &["function View 1-1", "function g 2-2", "constant a 3-3"],
        ),
        (
            "a.go",
            "package a\n\n// S is.\ntype S[T any] struct{}\n\nfunc (s *S[T]) Do(x int) error {\n\treturn nil\n}\n\nconst (\n\tA = 1\n\tB = 2\n)\nvar e = 1\n",
            &[
                "class S 3-4",
                "function S.Do 6-8",
                "constant A 10-13",
                "constant e 14-14",
            ],
        ),
        (
            "A.java",
            "package a;\n@X\nclass A {\n  int f;\n  A() {}\n  /** Runs. */\n  void run() {}\n  enum E { P; void q() {} }\n}\ninterface I { void z(); }\nrecord R(int x) {}\n",
            &[
                "class A 2-9",
                "function A.A 5-5",
                "function A.run 6-7",
                "class A.E 8-8",
                "function A.E.q 8-8",
                "interface I 10-10",
                "function I.z 10-10",
                "class R 11-11",
            ],
        ),
        (
            "a.c",
            "#include <x.h>\n#define MOST 3\n#ifdef X\nstatic char *put(int a) {\n  return 0;\n}\n#endif\nstruct s { int a; };\ntypedef struct s t;\nint get(void);\n",
            &[
                "macro MOST 2-2",
                "function put 4-6",
                "class s 8-8",
                "type t 9-9",
                "function get 10-10",
            ],
        ),
        (
            "a.cpp",
            "namespace n {\ntemplate <class T>\nclass A {\n public:\n  int &run() { return x; }\n};\nint A::go(int a) const { return 1; }\n}\nextern \"C\" { void c() {} }\nusing B = int;\n",
            &[
                "module n 1-8",
                "class n.A 2-6",
                "function n.A.run 5-5",
                "function n.A::go 7-7",
                "function c 9-9",
                "type B 10-10",
            ],
        ),
        (
            "a.rb",
            "module M\n  # About.\n  class A < B\n    def run; end\n    def self.go\n    end\n  end\nend\n",
            &[
                "module M 1-8",
                "class M.A 2-7",
                "function M.A.run 4-4",
                "function M.A.go 5-6",
            ],
        ),
        (
            "a.php",
            "<?php\nnamespace a;\n/** About. */\nfinal class A extends B {\n  public function run() {}\n}\ninterface I {}\ntrait T {}\nfunction f() {}\n",
            &[
                "class A 3-6",
                "function A.run 5-5",
                "interface I 7-7",
                "interface T 8-8",
                "function f 9-9",
            ],
        ),
        #[cfg(feature = "csharp")]
        (
            "a.cs",
            "namespace N {\n  // About.\n  class A : B {\n    int P { get; }\n    void Run() {}\n  }\n}\n",
            &[
                "module N 1-7",
                "class N.A 2-6",
                "constant N.A.P 4-4",
                "function N.A.Run 5-5",
            ],
        ),
        (
            "a.md",
            "Before.\n# One\ntext\n```sh\n# no heading\n```\n## Two\nmore\n",
            &["section One 2-6", "section Two 7-8"],
        ),
        (
            "a.rst",
            "Title\n=====\n\ntext\n\nPart two\n--------\nmore\n",
            &["section Title 1-5", "section Part two 6-8"],
        ),
        ("a.toml", "[a]\nb = 1\n", &[]),
    ] {
        assert_eq!(definitions(path, text), wanted, "{path}");
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

/// Broken, strange and endless texts: every line that is not blank is in one chunk, except leftover
/// brackets.
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
