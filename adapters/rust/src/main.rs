//! Answers the cases of rankspec's test vectors by the metrics of metrics.rs:
//!
//!     cargo build --release
//!     rankspec conform --profile ndcg-core -- target/release/example-rust

mod json;
mod metrics;

use json::Json;
use metrics::{dcg, idcg, ndcg, Discount, Gain};
use std::io::{stdin, stdout, BufRead, Write};

const CAN: &str = "labels:integer labels:graded labels:fractional judged k k:none k:list ideal:k \
    ideal:all gain:linear gain:exp2 gain:table discount:log discount:zipf discount:none base";

fn gain(given: &Json) -> Option<Gain> {
    Some(match given.get("kind").text() {
        "linear" => Gain::Linear,
        "exp2" => Gain::Exp2,
        _ => Gain::Table(given.get("table").numbers()?),
    })
}

fn discount(given: &Json) -> Option<Discount> {
    Some(match given.get("kind").text() {
        "log" => Discount::Log(given.get("base").number()?),
        "zipf" => Discount::Zipf,
        _ => Discount::None,
    })
}

/// The value at a cut-off; None: the case is beyond these metrics.
fn value(measure: &Json, input: &Json, k: &Json) -> Option<f64> {
    let judged = input.get("judged").numbers().or_else(|| input.get("labels").numbers())?;
    let labels = input.get("labels").numbers().unwrap_or_default();
    let (gain, discount) = (gain(measure.get("gain"))?, discount(measure.get("discount"))?);
    let k = k.number().map(|k| k as usize);
    Some(match measure.get("name").text() {
        "CG" | "DCG" => dcg(&labels, k, &gain, &discount),
        "IDCG" => idcg(&judged, k, &gain, &discount),
        "nDCG" => {
            let ideal_at = k.filter(|_| measure.get("ideal").text() == "k");
            ndcg(&labels, &judged, k, ideal_at, &gain, &discount)
        }
        _ => return None,
    })
}

fn answer(case: &Json) -> String {
    let (id, measure) = (case.get("id").text(), case.get("measure"));
    let can = case.get("requires").list().unwrap_or_default().iter();
    let values = match measure.get("k").list() {
        _ if !can.clone().all(|word| CAN.split(' ').any(|known| known == word.text())) => None,
        Some(cutoffs) => {
            let values: Option<Vec<_>> =
                cutoffs.iter().map(|k| value(measure, case.get("input"), k)).collect();
            values.map(|values| format!("{values:?}"))
        }
        None => value(measure, case.get("input"), measure.get("k")).map(|x| format!("{x:?}")),
    };
    match values {
        Some(values) => format!(r#"{{"type":"value","id":"{id}","value":{values}}}"#),
        None => format!(r#"{{"type":"unsupported","id":"{id}","reason":"not among its metrics"}}"#),
    }
}

fn main() -> std::io::Result<()> {
    for line in stdin().lock().lines() {
        let message = Json::parse(&line?).expect("a message in JSON");
        let said = match message.get("type").text() {
            "start" => r#"{"type":"ready","protocol":1,"name":"example-rust","version":"1.0","language":"Rust"}"#.to_string(),
            "case" => answer(&message),
            _ => break,
        };
        let mut out = stdout().lock();
        writeln!(out, "{said}")?;
        out.flush()?;
    }
    Ok(())
}
