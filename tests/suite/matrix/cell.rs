//! One cell of the matrix: a run with one fault, compared with the table.

use super::*;

/// A fault at a kind of call, in one dialect.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cell {
    pub(super) wire: Wire,
    pub(super) fault: &'static Fault,
    pub(super) call: Call,
    pub(super) times: Times,
}

impl Cell {
    pub(super) fn hold(self) {
        let place = place(self.wire, self.fault.patience);
        place.write("answers.yaml", "Q-1: at most 50\n");
        let mended = Arc::new(AtomicBool::new(false));
        let fake = self.fake(Arc::clone(&mended));
        let ran = run(&place, self.wire, &fake, &self.call.plan());
        decent(&ran);
        let end = match self.times {
            Times::Once if !self.fault.stops_at_once => End::Whole,
            Times::Once => End::Code(5),
            Times::Always => self.fault.always(self.call),
        };
        match end {
            End::Whole => whole(&place, &ran, false),
            End::Degraded => whole(&place, &ran, true),
            End::Asked => {
                assert_eq!(ran.code, 8, "{ran:#?}");
                assert_eq!(place.versions(), ["v1.draft"]);
                mended.store(true, Ordering::SeqCst);
                assert_eq!(place.run(&["answer", "Q-1", "continue"]).code, 0);
                let ran = run(&place, self.wire, &fake, &["resume"]);
                decent(&ran);
                whole(&place, &ran, false);
            }
            End::Code(code) => {
                self.resumable(&place, &ran, code);
                mended.store(true, Ordering::SeqCst);
                let before = fake.counts();
                let ran = run(&place, self.wire, &fake, self.call.resume());
                decent(&ran);
                whole(&place, &ran, false);
                self.nothing_twice(&before, &fake);
            }
        }
        self.traced(&place);
    }

    /// A server that plays a workshop, with the fault of this cell.
    fn fake(self, mended: Arc<AtomicBool>) -> Fake {
        let script = workshop(self.call.team());
        Fake::start(move |seen| {
            let right = script(seen);
            let strikes = seen.key == self.call.key()
                && !mended.load(Ordering::SeqCst)
                && (self.times == Times::Always || seen.times == 1);
            match right {
                Reply::Text(text) if strikes => self.fault.spoil(&text),
                right => right,
            }
        })
    }

    /// Nothing is published, the draft is kept, and the error says what to do.
    fn resumable(self, place: &Place, ran: &Ran, code: i32) {
        assert_eq!(ran.code, code, "{ran:#?}");
        assert_eq!(ran.out, "", "{ran:#?}");
        assert!(
            ran.err.contains("error[E-") && ran.err.contains("aitc resume"),
            "{ran:#?}"
        );
        assert_eq!(place.versions(), ["v1.draft"]);
    }

    /// Recorded calls are not repeated, except the failed one and those that were in progress with
    /// it.
    fn nothing_twice(self, before: &std::collections::BTreeMap<String, usize>, fake: &Fake) {
        for (key, n) in fake.counts() {
            let asked_before = before.get(&key).copied().unwrap_or(0);
            // Concurrent arguments were in progress when the process ended.
            let beside = self.call == Call::Argument && key.starts_with("argument/");
            let again = key == "models" || key == self.call.key() || beside;
            // Concurrent documents were in progress when the process ended.
            let flew = self.call == Call::Document && key.contains('_');
            assert!(
                asked_before == 0 || n == asked_before || again || flew,
                "`{key}` was asked again"
            );
        }
    }

    /// The transcript contains the fault as often as it occurred.
    fn traced(self, place: &Place) {
        let failed = place.events("v1", "call_failed");
        // An empty speech leads to a nudge, which is recorded as such.
        let mut rejected = place.events("v1", "reply_rejected");
        rejected.extend(place.events("v1", "diligence_push"));
        rejected.extend(place.events("v1", "diligence_exhausted"));
        let struck = |lines: &[Value]| {
            lines
                .iter()
                .filter(|line| {
                    let call = line["call"].as_str().or(line["receipt"]["call"].as_str());
                    call.is_some_and(|call| self.is_struck(call))
                })
                .count()
        };
        let (failures, rejections) = (struck(&failed), struck(&rejected));
        let told = format!("{failed:?} {rejected:?}");
        match self.fault.trace {
            Trace::Nothing => assert_eq!((failures, rejections), (0, 0), "{told}"),
            Trace::Failed(kind) => {
                let strikes = failed
                    .iter()
                    .filter(|line| line["kind"] == kind)
                    .filter(|line| self.is_struck(line["call"].as_str().unwrap()));
                let strikes = strikes.count();
                let least = match self.times {
                    Times::Always if !self.fault.stops_at_once => 2,
                    _ => 1,
                };
                assert!(strikes >= least, "{told}");
                assert_eq!(rejections, 0, "{told}");
            }
            Trace::Rejected => {
                let least = match self.times {
                    Times::Once => 1,
                    Times::Always => 2,
                };
                assert!(rejections >= least, "{told}");
            }
        }
        assert_eq!(
            failed.len() + rejected.len(),
            failures + rejections,
            "{told}"
        );
    }

    fn is_struck(self, call: &str) -> bool {
        let key = self.call.key();
        let mut parts = key.split('/');
        let (purpose, member) = (parts.next().unwrap(), parts.next().unwrap());
        call.contains(&format!("/{purpose}/{member}/"))
    }
}

/// A workspace configured with the time limits of `patience`.
pub(super) fn place(wire: Wire, patience: Patience) -> Place {
    let place = Place::new();
    let limits = match patience {
        Patience::Long => "idle_timeout_ms: 30000",
        Patience::ShortIdle => "idle_timeout_ms: 900",
        Patience::ShortCall => "timeout_ms: 2500",
    };
    place.configure(&format!(
        "providers:\n  {}:\n    {limits}\nlimits:\n  max_failures: 2\n  retry_base_ms: 5\n  retry_cap_ms: 20\n",
        wire.provider
    ));
    place
}

pub(super) fn run(place: &Place, wire: Wire, fake: &Fake, arguments: &[&str]) -> Ran {
    place.run_at(wire.provider, &fake.base_url(), arguments)
}

/// Conditions that hold for every run.
pub(super) fn decent(ran: &Ran) {
    assert!(!ran.err.contains("panicked"), "{ran:#?}");
    assert!(ran.code != 1 && ran.code != 101, "{ran:#?}");
    let shown = format!("{}{}", ran.out, ran.err);
    assert!(!shown.contains(KEY), "{ran:#?}");
    let tame = |c: char| c == '\n' || !c.is_control();
    assert!(shown.chars().all(tame), "{ran:#?}");
}

/// A complete version was published; `degraded` says whether it names a member that was passed
/// over.
pub(super) fn whole(place: &Place, ran: &Ran, degraded: bool) {
    assert_eq!(ran.code, 0, "{ran:#?}");
    assert_eq!(ran.out, ".ai-tools-chain/planning_outputs/v1\n", "{ran:#?}");
    assert_eq!(place.versions(), ["v1"]);
    assert_eq!(place.run(&["verify"]).code, 0);
    let plan = place.plan();
    let missing = plan["passed_over"].as_array().unwrap().len();
    assert_eq!(missing, usize::from(degraded), "{plan:#}");
    let report = place.text("v1/planning_report.md");
    let says = |text: &str| text.contains("SD gave no usable answer in round 1");
    assert_eq!(says(&report), degraded, "{report}");
    assert_eq!(says(&ran.err), degraded, "{ran:#?}");
    for text in [report, place.text("v1/state.md")] {
        let tame = |c: char| matches!(c, '\n' | '\t') || !c.is_control();
        assert!(text.chars().all(tame), "{text}");
    }
}
