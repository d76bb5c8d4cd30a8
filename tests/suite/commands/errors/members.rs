//! Errors of roles and models.

use super::{Row, Sandbox, Seen, all, produces, produces_with};
use crate::support::fake::{Fake, FakeConfig, Reply, WorkshopScript, workshop};

/// Errors of roles, templates and prepared answers.
pub(super) fn of_roles(seen: &mut Seen) {
    let role = |id: &str, code: &str| {
        format!("---\nid: {id}\ncode: {code}\norder: 9\nsummary: Looks.\n---\n\nLook.\n")
    };
    let chain = "work/.ai-tools-chain";
    let sandbox = Sandbox::new();
    sandbox.write("work/answers.yaml", "Q-1:\n");
    let rows: &[Row<'_>] = &[
        (
            &["plan", "x", "--answers", "answers.yaml"],
            "E-answers",
            "3",
        ),
        (
            &["plan", "x", "--roles", "TestPlaner"],
            "E-role-unknown",
            "3",
        ),
        (&["plan", "x", "--roles", "Coach"], "E-roles-none", "3"),
        (&["roles", "show", "Nobody"], "E-role-unknown", "2"),
        (&["models", "--model", "XX=m"], "E-role-unknown", "2"),
        (&["plan", "x", "--model", "foo=bar"], "E-role-unknown", "2"),
        (&["roles", "new", "TestPlanner"], "E-role-taken", "2"),
        (&["roles", "new", "9x"], "E-role-name", "2"),
    ];
    all(&sandbox, rows, seen);
    for (file, text, code) in [
        ("roles/a.md", "no frontmatter".to_owned(), "E-role-file"),
        ("roles/a.md", role("Twin", "TP"), "E-role-code-shared"),
        ("team.yaml", "team: x\n".to_owned(), "E-asset-unfit"),
        (
            "team.yaml",
            "members:\n  TestPlaner:\n    diligence_push_max: 1\n".to_owned(),
            "E-asset-unfit",
        ),
        (
            "templates/prompt/shared.j2",
            "{% if".to_owned(),
            "E-template",
        ),
        ("diligence.md/x", String::new(), "E-asset-unreadable"),
    ] {
        let sandbox = Sandbox::new();
        sandbox.write(&format!("{chain}/{file}"), &text);
        produces(&sandbox, &["plan", "x"], code, "3", seen);
    }
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.folder.path().join("elsewhere")).unwrap();
    let link = sandbox.folder.path().join(chain);
    std::os::unix::fs::symlink(sandbox.folder.path().join("elsewhere"), link).unwrap();
    let set: &[&str] = &["config", "set", "questions", "pause"];
    produces(&sandbox, set, "E-path-outside", "3", seen);
}

/// Errors of models that are looked for and not had.
pub(super) fn of_models(seen: &mut Seen) {
    let sandbox = Sandbox::new();
    sandbox.write("work/recorded/a.json", "7");
    sandbox.user(
        "providers:\n  mine:\n    command: [no-such-program]\n  \
         sealed:\n    base_url: http://127.0.0.1:9/v1\n    model: m\n    ca_file: missing.pem\n",
    );
    let local: &[&str] = &["--base-url", "http://127.0.0.1:9/v1"];
    let rows: &[Row<'_>] = &[
        (&["plan", "x", "--provider", "openai"], "E-key-missing", "4"),
        (
            &["plan", "x", "--provider", "opnai"],
            "E-provider-unknown",
            "2",
        ),
        (
            &["plan", "x", "--provider", "command"],
            "E-program-unnamed",
            "2",
        ),
        (
            &["plan", "x", "--provider", "mine"],
            "E-program-missing",
            "5",
        ),
        (
            &["plan", "x", "--provider", "sealed"],
            "E-certificates",
            "3",
        ),
        (&["plan", "x", "--model", "m"], "E-model-none", "4"),
        (&["plan", "x", local[0], local[1]], "E-models-unasked", "5"),
        (
            &[
                "plan",
                "x",
                local[0],
                local[1],
                "--model",
                "m",
                "--budget-usd",
                "1",
            ],
            "E-price-unknown",
            "3",
        ),
        (
            &["plan", "x", "--provider", "scripted"],
            "E-fixtures-missing",
            "2",
        ),
        (
            &[
                "plan",
                "x",
                "--provider",
                "scripted",
                "--fixtures",
                "nowhere",
            ],
            "E-fixtures-unreadable",
            "3",
        ),
        (
            &[
                "plan",
                "x",
                "--provider",
                "scripted",
                "--fixtures",
                "recorded",
            ],
            "E-fixture-malformed",
            "3",
        ),
    ];
    for (line, code, exit) in rows {
        produces_with(&[], &sandbox, line, code, exit, seen);
    }
    let listing = Reply::Html;
    let page = FakeConfig {
        listing: Some(listing),
        ..FakeConfig::default()
    };
    let page = Fake::with(page, |_| Reply::Empty);
    let far = "https://models.example/v1";
    let way = [("AITC_MODEL", "m"), ("HTTPS_PROXY", "http://")];
    produces_with(
        &[("AITC_BASE_URL", &page.base_url())],
        &sandbox,
        &["plan", "x", "--provider", "openai"],
        "E-model-unnamed",
        "2",
        seen,
    );
    produces_with(
        &way,
        &sandbox,
        &["plan", "x", "--base-url", far],
        "E-proxy-variable",
        "3",
        seen,
    );
    of_an_address(seen);
    for (similarity, code) in [
        ("provider: openai", "E-similarity-half"),
        ("provider: scripted\n  model: m", "E-similarity-endpoint"),
    ] {
        let sandbox = Sandbox::new();
        sandbox.user(&format!("similarity:\n  {similarity}\n"));
        produces(&sandbox, &["plan", "x"], code, "3", seen);
    }
}

/// A run that was begun with an address, and none is named.
fn of_an_address(seen: &mut Seen) {
    let sandbox = Sandbox::new();
    let fake = Fake::start(workshop(WorkshopScript {
        questions: 1,
        ..WorkshopScript::default()
    }));
    let url = fake.base_url();
    sandbox.run(&["plan", "Export it.", "--base-url", &url, "--model", "m"]);
    let resume: &[&str] = &["resume"];
    produces_with(&[], &sandbox, resume, "E-address-needed", "4", seen);
    // The same of a provider that answers for one role.
    let sandbox = Sandbox::new();
    let own = |name: &str| format!("  {name}:\n    base_url: {url}\n");
    sandbox.user(&format!("providers:\n{}{}", own("openai"), own("groq")));
    let models = ["--model", "m", "--model", "RP=groq:m"];
    let begin = [&["plan", "Export it.", "--provider", "openai"], &models[..]].concat();
    let mut command = sandbox.command_without_model(&begin);
    command.env("OPENAI_API_KEY", "sk-a-key");
    command.env("GROQ_API_KEY", "gsk-a-key");
    sandbox.block(command);
    sandbox.user(&format!("providers:\n{}", own("openai")));
    produces_with(&[], &sandbox, resume, "E-role-address-needed", "4", seen);
}
