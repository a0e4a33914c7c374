//! Asks tracing-subscriber itself. Reads a file of test data on stdin and writes it again with the answers of the
//! library in place of those that were there: `cargo run -- directives|patterns|floats < OLD > NEW`.

use serde_json::{json, Map, Value};
use std::io::{self, BufRead, Write};
use std::sync::{Arc, Mutex};
use tracing::{event, span, Event, Level, Subscriber};
use tracing_subscriber::layer::{Context, Layer};
use tracing_subscriber::prelude::*;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::EnvFilter;

/// The names of the spans, root first, that the last event was seen in; none if it was filtered out.
#[derive(Clone, Default)]
struct Seen(Arc<Mutex<Option<String>>>);

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Seen {
    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let names: Vec<&str> = context
            .event_scope(event)
            .map(|scope| scope.from_root().map(|span| span.name()).collect())
            .unwrap_or_default();
        *self.0.lock().unwrap() = Some(names.join(">"));
    }
}

#[derive(Default)]
struct Answers {
    /// A letter for each event: `x` for passed, `.` for filtered out.
    passed: String,
    spans: Option<String>,
}

impl Answers {
    fn note(&mut self, seen: &Seen) {
        let answer = seen.0.lock().unwrap().take();
        self.passed.push(if answer.is_some() { 'x' } else { '.' });
        self.spans = self.spans.take().or(answer);
    }
}

/// Three events for each level: with a message, with a message and fields, with a field alone.
macro_rules! ask {
    ($answers:ident, $seen:ident, $target:literal, $($level:ident)*) => {$(
        event!(target: $target, Level::$level, "m");
        $answers.note($seen);
        event!(target: $target, Level::$level, cluster_name = "x", shards = 1, "m");
        $answers.note($seen);
        event!(target: $target, Level::$level, no_message = true);
        $answers.note($seen);
    )*};
}

fn ask_all(seen: &Seen) -> Answers {
    let mut answers = Answers::default();
    ask!(answers, seen, "operator", TRACE DEBUG INFO WARN ERROR);
    ask!(answers, seen, "operator::controller", TRACE DEBUG INFO WARN ERROR);
    ask!(answers, seen, "operator::controller::acl", TRACE DEBUG INFO WARN ERROR);
    ask!(answers, seen, "hyper", TRACE DEBUG INFO WARN ERROR);
    ask!(answers, seen, "é::x", TRACE DEBUG INFO WARN ERROR);
    answers
}

fn reconcile() -> tracing::Span {
    span!(target: "operator::controller", Level::INFO, "reconciling object",
        object.ref = %"ValkeyCluster/a.ns1", object.reason = "object updated")
}

fn probe() -> tracing::Span {
    span!(target: "operator::controller", Level::DEBUG, "probe", attempt = 3, dry = true, cluster = "a")
}

fn refusals(directives: &str) -> Vec<String> {
    directives
        .split(',')
        .filter(|part| !part.is_empty())
        .filter_map(|part| {
            let error = EnvFilter::builder().parse(part).err()?;
            Some(format!("ignoring `{part}`: {error}"))
        })
        .collect()
}

fn directives(case: &mut Map<String, Value>) {
    let text = case["directive"].as_str().unwrap().to_owned();
    let s = case["s"].as_str().unwrap().to_owned();
    let n = case["n"].as_i64().unwrap();
    let f: f64 = case["f"].as_str().unwrap().parse().unwrap();
    let seen = Seen::default();
    let subscriber =
        tracing_subscriber::registry().with(EnvFilter::builder().parse_lossy(&text)).with(seen.clone());
    let mut passed = Map::new();
    let mut spans = Map::new();
    let mut ask = |scope: &str| {
        let answers = ask_all(&seen);
        passed.insert(scope.into(), answers.passed.into());
        if let Some(names) = answers.spans {
            spans.insert(scope.into(), names.into());
        }
    };
    tracing::subscriber::with_default(subscriber, || {
        ask("none");
        reconcile().in_scope(|| {
            ask("a");
            probe().in_scope(|| ask("a>p"));
        });
        probe().in_scope(|| {
            ask("p");
            reconcile().in_scope(|| ask("p>a"));
        });
        span!(target: "hyper::conn", Level::TRACE, "values", s = s, n = n, f = f).in_scope(|| {
            ask("v");
            span!(target: "operator::x", Level::ERROR, "inner").in_scope(|| ask("v>e"));
        });
    });
    case.insert("ignored".into(), json!(refusals(&text)));
    case.insert("passed".into(), passed.into());
    case.insert("spans".into(), spans.into());
}

fn patterns(case: &mut Map<String, Value>) {
    let directive = format!("[{{s={}}}]=debug", case["pattern"].as_str().unwrap());
    let text = case["text"].as_str().unwrap().to_owned();
    let seen = Seen::default();
    let subscriber =
        tracing_subscriber::registry().with(EnvFilter::builder().parse_lossy(&directive)).with(seen.clone());
    tracing::subscriber::with_default(subscriber, || {
        span!(Level::TRACE, "values", s = text).in_scope(|| event!(Level::DEBUG, "m"));
    });
    let matched = seen.0.lock().unwrap().is_some();
    let outcome = match (refusals(&directive).is_empty(), matched) {
        (false, _) => "refused",
        (true, true) => "match",
        (true, false) => "no match",
    };
    case.insert("outcome".into(), outcome.into());
}

fn main() -> io::Result<()> {
    let mode = std::env::args().nth(1).expect("directives, patterns or floats");
    let mut out = io::BufWriter::new(io::stdout());
    for line in io::stdin().lock().lines() {
        let line = line?;
        if mode == "floats" {
            let bits = line.split(' ').next().unwrap();
            let number = f64::from_bits(u64::from_str_radix(bits, 16).unwrap());
            writeln!(out, "{bits} {}", serde_json::to_string(&number)?)?;
            continue;
        }
        let mut case: Map<String, Value> = serde_json::from_str(&line)?;
        match mode.as_str() {
            "directives" => directives(&mut case),
            "patterns" => patterns(&mut case),
            other => panic!("mode is {other}, allowed are directives, patterns, floats"),
        }
        writeln!(out, "{}", Value::from(case))?;
    }
    Ok(())
}
