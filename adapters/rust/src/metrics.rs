//! Ranking metrics of one list: what an adapter stands in front of.

pub enum Gain {
    Linear,
    Exp2,
    Table(Vec<f64>),
}

pub enum Discount {
    Log(f64),
    Zipf,
    None,
}

impl Gain {
    fn of(&self, label: f64) -> f64 {
        match self {
            Gain::Linear => label,
            Gain::Exp2 => label.exp2() - 1.0,
            Gain::Table(table) => table[label as usize],
        }
    }
}

impl Discount {
    fn of(&self, rank: usize) -> f64 {
        match self {
            Discount::Log(base) => base.ln() / ((rank + 1) as f64).ln(),
            Discount::Zipf => 1.0 / rank as f64,
            Discount::None => 1.0,
        }
    }
}

pub fn dcg(labels: &[f64], k: Option<usize>, gain: &Gain, discount: &Discount) -> f64 {
    let ranked = labels.iter().take(k.unwrap_or(labels.len()));
    let terms = ranked.enumerate().map(|(i, &label)| gain.of(label) * discount.of(i + 1));
    terms.fold(0.0, |total, term| total + term)
}

pub fn idcg(judged: &[f64], k: Option<usize>, gain: &Gain, discount: &Discount) -> f64 {
    let mut ideal = judged.to_vec();
    ideal.sort_by(|a, b| b.total_cmp(a));
    dcg(&ideal, k, gain, discount)
}

pub fn ndcg(
    labels: &[f64],
    judged: &[f64],
    k: Option<usize>,
    ideal_at: Option<usize>,
    gain: &Gain,
    discount: &Discount,
) -> f64 {
    let best = idcg(judged, ideal_at, gain, discount);
    if best == 0.0 {
        0.0
    } else {
        dcg(labels, k, gain, discount) / best
    }
}
