//! Properties that hold for any model output.

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use workshop::check::diff;
use workshop::machine::*;
use workshop::reply::*;

use crate::support::plans::*;

/// Names that models write: keys, existing and unknown ids, titles, garbage.
fn name() -> BoxedStrategy<String> {
    const KNOWN: &str = "| |w1|W-1|w-01|W2|w3|m1|M-1|M1|AC-1|ac1|AC-02|AC-99|C-1|c2|C-3|Q-1|A-1|F-1|I-1|I-3|\
        DEC-1|T-1|R-1|Requirement|null|Rows are streamed|Step w1|AC-1, AC-2|W-1/w3|R-0|\
        W-4294967295|W-4294967296|a.b";
    prop_oneof![4 => select(KNOWN.split('|').collect::<Vec<_>>()).prop_map(str::to_owned), 1 => ".{0,12}"].boxed()
}

fn names() -> BoxedStrategy<Vec<String>> {
    vec(name(), 0..5).boxed()
}

fn text() -> BoxedStrategy<String> {
    prop_oneof![
        Just(String::new()),
        Just("```\nx\n```".to_owned()),
        ".{0,20}"
    ]
    .boxed()
}

fn path() -> BoxedStrategy<String> {
    prop_oneof!["[./~ `a:\\\\-]{0,12}", ".{0,8}"].boxed()
}

fn product() -> impl Strategy<Value = Document> {
    let criterion = (name(), option::of(name()), text(), text(), names()).prop_map(
        |(id, same_as, when, then, from)| Criterion {
            given: String::new(),
            id,
            same_as,
            when,
            then,
            from,
        },
    );
    let scope = (text(), names()).prop_map(|(text, from)| ScopeItem { text, from });
    (vec(criterion, 0..6), vec(scope, 0..4)).prop_map(|(criteria, scope)| {
        Document::ProductPlan(ProductPlan {
            criteria,
            scope,
            ..Default::default()
        })
    })
}

fn design() -> impl Strategy<Value = Document> {
    let module =
        (name(), option::of(name()), text(), names()).prop_map(|(id, same_as, name, covers)| {
            Module {
                purpose: String::new(),
                id,
                same_as,
                name,
                covers,
            }
        });
    let change = select(&[Change::Modify, Change::Rename][..]);
    let file = (path(), change, option::of(path()), names());
    let file = file.prop_map(|(path, change, to, modules)| FileImpact {
        symbols: Vec::new(),
        path,
        change,
        to,
        what: String::new(),
        modules,
    });
    let kind = select(&[DiagramKind::Flow, DiagramKind::Sequence][..]);
    let arrow = (text(), text(), text()).prop_map(|(source, target, label)| Arrow {
        source,
        target,
        label,
    });
    let diagram = (kind, vec(arrow, 0..3)).prop_map(|(kind, arrows)| Diagram { kind, arrows });
    let parts = (vec(module, 0..5), vec(file, 0..5), option::of(diagram));
    parts.prop_map(|(modules, file_impacts, diagram)| {
        Document::SystemDesign(SystemDesign {
            modules,
            file_impacts,
            diagram,
            ..Default::default()
        })
    })
}

fn development() -> impl Strategy<Value = DevPlan> {
    let size = select(&[Size::S, Size::M, Size::L, Size::XL][..]);
    let item = (name(), option::of(name()), text(), size, names(), names()).prop_map(
        |(id, same_as, title, size, covers, depends_on)| WorkItem {
            detail: String::new(),
            id,
            same_as,
            title: format!("t{title}"),
            size,
            covers,
            depends_on,
        },
    );
    (vec(item, 0..9), names(), names()).prop_map(|(work, order, critical_path)| DevPlan {
        work,
        order,
        critical_path,
        ..DevPlan::default()
    })
}

fn tests_and_risks() -> impl Strategy<Value = Document> {
    let case =
        (name(), option::of(name()), text(), names()).prop_map(|(id, same_as, title, covers)| {
            TestCase {
                id,
                same_as,
                title,
                covers,
                ..case("x", &[])
            }
        });
    let risk =
        (name(), option::of(name()), text(), names()).prop_map(|(id, same_as, title, affects)| {
            Risk {
                chance: Level::Low,
                impact: Level::High,
                mitigation: String::new(),
                early_sign: String::new(),
                id,
                same_as,
                title,
                affects,
            }
        });
    let assumption = (text(), option::of(name()));
    prop_oneof![
        vec(case, 0..5).prop_map(|cases| Document::TestPlan(TestPlan {
            cases,
            ..Default::default()
        })),
        (vec(risk, 0..5), vec(assumption, 0..3)).prop_map(|(risks, assumptions)| {
            let assumptions = assumptions.into_iter();
            Document::RiskAssessment(RiskAssessment {
                risks,
                dependencies: Vec::new(),
                assumptions: assumptions
                    .map(|(text, from)| PlanAssumption { text, from })
                    .collect(),
            })
        }),
    ]
}

fn any_document() -> impl Strategy<Value = Document> {
    prop_oneof![
        product(),
        design(),
        development().prop_map(Document::DevPlan),
        tests_and_risks()
    ]
}

fn config() -> ProptestConfig {
    ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(256)
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn what_is_adopted_may_be_recorded(documents in vec(any_document(), 1..4), again in any::<bool>()) {
        let mut state = if again { revised() } else { discussed() };
        for document in documents {
            record(&mut state, document);
        }
    }

    #[test]
    fn order_respects_dependencies_and_the_path_is_a_chain(plan in development()) {
        let (Document::DevPlan(plan), _) = normalize_document(&revised(), Document::DevPlan(plan)) else {
            panic!("another kind came out");
        };
        let place: BTreeMap<&str, usize> =
            plan.order.iter().enumerate().map(|(i, id)| (&**id, i)).collect();
        prop_assert_eq!(place.len(), plan.work.len());
        let items: BTreeMap<&str, &WorkItem> = plan.work.iter().map(|w| (&*w.id, w)).collect();
        for item in &plan.work {
            for dependency in &item.depends_on {
                prop_assert!(place[&**dependency] < place[&*item.id]);
            }
        }
        for step in plan.critical_path.windows(2) {
            prop_assert!(items[&*step[1]].depends_on.contains(&step[0]));
        }
        prop_assert_eq!(plan.critical_path.is_empty(), plan.work.is_empty());
        if let (Some(first), Some(last)) = (plan.critical_path.first(), plan.critical_path.last()) {
            // The path cannot be extended at either end.
            prop_assert!(items[&**first].depends_on.is_empty());
            prop_assert!(!plan.work.iter().any(|w| w.depends_on.contains(last)));
        }
    }

    #[test]
    fn ids_never_come_back(documents in vec(development(), 1..5)) {
        let mut state = discussed();
        let mut given = std::collections::BTreeSet::new();
        for (version, plan) in documents.into_iter().enumerate() {
            let mut base = state.clone();
            record(&mut base, Document::DevPlan(plan));
            for item in document_items(&base.documents.written[&DocumentKind::DevPlan].content) {
                let new = given.insert(item.id.to_owned());
                prop_assert_eq!(new, item.same_as.is_none(), "{}", item.id);
            }
            state.run.counters = base.run.counters.clone();
            base.inputs.version = version as u32 + 1;
            state.task.previous = Some(PreviousVersion::of(&base, ""));
        }
    }

    #[test]
    fn a_diff_turned_around_swaps_added_and_removed(a in development(), b in development(), related in any::<bool>()) {
        let (mut one, mut two) = (discussed(), discussed());
        if !related {
            two.run.id = "another".to_owned();
        }
        record(&mut one, Document::DevPlan(a));
        record(&mut two, Document::DevPlan(b));
        prop_assert!(diff(&one, &one).is_empty());
        let (there, back) = (diff(&one, &two), diff(&two, &one));
        prop_assert_eq!(there.groups.len(), back.groups.len());
        for (x, y) in there.groups.iter().zip(&back.groups) {
            prop_assert_eq!(&x.added, &y.removed);
            prop_assert_eq!(&x.removed, &y.added);
            prop_assert_eq!(x.changed.len(), y.changed.len());
        }
    }

    #[test]
    fn no_text_makes_a_reader_of_ids_paths_or_secrets_panic(text in any::<String>()) {
        let _ = canonical_id(&text);
        let _ = workshop::check::words(&text);
        for secret in workshop::redact::secrets(&text) {
            prop_assert!(text.get(secret.start..secret.end).is_some());
        }
        if let Ok(path) = repository_path(&text) {
            prop_assert_eq!(repository_path(&path), Ok(path.clone()));
            prop_assert!(!path.starts_with('/') && !path.split('/').any(|part| part == ".."));
        }
        let _ = workshop::check::why(&good(), &text, Lang::En);
    }
}
