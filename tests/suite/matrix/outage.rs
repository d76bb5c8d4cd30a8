//! An endpoint that is unavailable, in each format: the process exits with code 5, no member counts
//! as absent, and the resumed run is complete.

use aitc::machine::Format;
use std::path::PathBuf;

use super::endpoint::refused;
use super::table::Patience;
use super::*;

/// A format, its command, and the calls at which the endpoint becomes unavailable.
struct Meeting {
    format: Format,
    command: [&'static str; 2],
    struck: &'static [&'static str],
}

/// Calls of a format in which all members speak.
const BY_ALL: &[&str] = &[
    "judgment/Coach",
    "speech/SystemDesigner/r1",
    "summary/Coach/r1",
    "report/Coach",
];

const MEETINGS: [Meeting; 4] = [
    Meeting {
        format: Format::Workshop,
        command: ["plan", "Export it as CSV"],
        struck: BY_ALL,
    },
    Meeting {
        format: Format::Team,
        command: ["team", "Move the ledger to the new store"],
        // The second and third phase run concurrently; another member takes over the third.
        struck: &[
            "judgment/Coach",
            "step/ProductPlanner/P-1",
            "step/RiskPlanner/P-3",
            "step/SeniorDeveloper/P-2",
            "report/Coach",
        ],
    },
    Meeting {
        format: Format::Board,
        command: ["board", "Photos or text?"],
        struck: BY_ALL,
    },
    Meeting {
        format: Format::Party,
        command: ["plan", "@party Photos or text?"],
        struck: &[
            "judgment/Coach",
            "speech/ProductPlanner/r1",
            "summary/Coach/r1",
            "report/Coach",
        ],
    },
];

/// Their names in the table.
const OUTAGES: [&str; 5] = [
    "401",
    "503",
    "429 with a day",
    "404 model",
    "400 context too long",
];

/// A server that is unavailable from one call on, for every call, until it is repaired.
fn away(fault: &'static str, from: &'static str, mended: &Arc<AtomicBool>) -> Fake {
    let script = workshop(WorkshopScript::default());
    let fault = fault_named(fault);
    let (is_gone, is_mended) = (AtomicBool::new(false), Arc::clone(mended));
    Fake::start(move |seen| {
        if seen.key == from {
            is_gone.store(true, Ordering::SeqCst);
        }
        let is_away = is_gone.load(Ordering::SeqCst) && !is_mended.load(Ordering::SeqCst);
        match script(seen) {
            Reply::Text(text) if is_away => fault.spoil(&text),
            right => right,
        }
    })
}

fn outputs(place: &Place, format: Format) -> PathBuf {
    let plans = place.work().join(".ai-tools-chain/planning_outputs");
    plans.join(format.folder().unwrap_or_default())
}

fn versions(place: &Place, format: Format) -> Vec<String> {
    let folder = outputs(place, format);
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with('v'))
        .collect();
    names.sort();
    names
}

fn structured(place: &Place, format: Format) -> Value {
    let version = outputs(place, format).join("v1");
    let text = std::fs::read_to_string(version.join(format.structured())).unwrap();
    serde_json::from_str(&text).unwrap()
}

impl Meeting {
    fn is_paused(&self, place: &Place, ran: Ran) {
        decent(&ran);
        ran.fails(5, &["aitc resume"]);
        assert_eq!(versions(place, self.format), ["v1.draft"]);
    }

    /// No member is recorded as absent because of the outage.
    fn is_whole(&self, place: &Place, ran: Ran) {
        decent(&ran);
        ran.ends(0);
        assert_eq!(versions(place, self.format), ["v1"]);
        assert_eq!(place.run(&["verify"]).code, 0);
        let whole = structured(place, self.format);
        assert_eq!(whole["passed_over"], serde_json::json!([]), "{whole:#}");
        let phases = whole["team"]["phases"].as_array();
        for phase in phases.into_iter().flatten() {
            assert_eq!(phase["outcome"], "done", "{phase:#}");
        }
    }

    fn strike(&self, fault: &'static str, from: &'static str) {
        let place = place(OPENAI, Patience::Long);
        let mended = Arc::new(AtomicBool::new(false));
        let fake = away(fault, from, &mended);
        self.is_paused(&place, run(&place, OPENAI, &fake, &self.command));
        self.is_paused(&place, run(&place, OPENAI, &fake, &["resume"]));
        let nowhere = place.run_at(OPENAI.provider, &refused(), &["resume"]);
        self.is_paused(&place, nowhere);
        mended.store(true, Ordering::SeqCst);
        self.is_whole(&place, run(&place, OPENAI, &fake, &["resume"]));
    }
}

fn hold_meetings(strikes: Vec<(&'static Meeting, &'static str, &'static str)>) {
    hold_each(&strikes, |(meeting, fault, from)| {
        let name = format!("{fault} × {from} × {:?}", meeting.format);
        (name, Box::new(|| meeting.strike(fault, from)))
    });
}

/// Each call with another fault, as usual, or with all others.
fn strikes(is_usual: bool) -> Vec<(&'static Meeting, &'static str, &'static str)> {
    let calls = MEETINGS
        .iter()
        .flat_map(|meeting| meeting.struck.iter().map(move |from| (meeting, *from)));
    let all = calls.enumerate().flat_map(|(n, (meeting, from))| {
        let usual = OUTAGES[(n + 1) % OUTAGES.len()];
        OUTAGES.map(|fault| (fault == usual, (meeting, fault, from)))
    });
    all.filter(|(usual, _)| *usual == is_usual)
        .map(|(_, strike)| strike)
        .collect()
}

#[test]
fn an_endpoint_that_is_away_pauses_every_format() {
    hold_meetings(strikes(true));
}

#[test]
#[ignore = "takes minutes"]
fn an_endpoint_that_is_away_in_every_other_way_pauses_every_format() {
    hold_meetings(strikes(false));
}
