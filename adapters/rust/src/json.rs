//! As much of JSON as the cases need: a program of one's own has a crate for this.

use std::collections::HashMap;

#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(HashMap<String, Json>),
}

impl Json {
    pub fn parse(text: &str) -> Option<Json> {
        let mut parser = Parser { bytes: text.as_bytes(), at: 0 };
        let value = parser.value()?;
        parser.blanks();
        (parser.at == parser.bytes.len()).then_some(value)
    }

    pub fn get(&self, name: &str) -> &Json {
        match self {
            Json::Object(members) => members.get(name).unwrap_or(&Json::Null),
            _ => &Json::Null,
        }
    }

    pub fn text(&self) -> &str {
        match self {
            Json::Text(text) => text,
            _ => "",
        }
    }

    pub fn number(&self) -> Option<f64> {
        match self {
            Json::Number(x) => Some(*x),
            _ => None,
        }
    }

    pub fn list(&self) -> Option<&[Json]> {
        match self {
            Json::List(items) => Some(items),
            _ => None,
        }
    }

    pub fn numbers(&self) -> Option<Vec<f64>> {
        self.list()?.iter().map(Json::number).collect()
    }
}

struct Parser<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Parser<'_> {
    fn blanks(&mut self) {
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    fn take(&mut self, word: &str) -> Option<()> {
        self.blanks();
        self.bytes[self.at..].starts_with(word.as_bytes()).then(|| self.at += word.len())
    }

    fn value(&mut self) -> Option<Json> {
        self.blanks();
        match self.bytes.get(self.at)? {
            b'n' => self.take("null").map(|()| Json::Null),
            b't' => self.take("true").map(|()| Json::Bool(true)),
            b'f' => self.take("false").map(|()| Json::Bool(false)),
            b'"' => self.string().map(Json::Text),
            b'[' => self.items().map(Json::List),
            b'{' => self.members().map(Json::Object),
            _ => self.digits().map(Json::Number),
        }
    }

    fn digits(&mut self) -> Option<f64> {
        let begin = self.at;
        while self.bytes.get(self.at).is_some_and(|c| b"+-.0123456789eE".contains(c)) {
            self.at += 1;
        }
        std::str::from_utf8(&self.bytes[begin..self.at]).ok()?.parse().ok()
    }

    fn string(&mut self) -> Option<String> {
        self.take("\"")?;
        let mut found = Vec::new();
        loop {
            let c = *self.bytes.get(self.at)?;
            self.at += 1;
            match c {
                b'"' => return String::from_utf8(found).ok(),
                b'\\' => {
                    let c = *self.bytes.get(self.at)?;
                    self.at += 1;
                    match c {
                        b'u' => found.extend(self.escaped()?.to_string().bytes()),
                        b'n' => found.push(b'\n'),
                        b't' => found.push(b'\t'),
                        b'r' => found.push(b'\r'),
                        b'b' => found.push(8),
                        b'f' => found.push(12),
                        c => found.push(c),
                    }
                }
                c => found.push(c),
            }
        }
    }

    /// The character of \uXXXX, or of the two that stand for one beyond 16 bits.
    fn escaped(&mut self) -> Option<char> {
        let high = self.unit()?;
        if !(0xd800..0xdc00).contains(&high) {
            return char::from_u32(high);
        }
        self.take("\\u")?;
        let low = self.unit()?;
        char::from_u32(0x10000 + ((high - 0xd800) << 10) + low.checked_sub(0xdc00)?)
    }

    fn unit(&mut self) -> Option<u32> {
        let digits = std::str::from_utf8(self.bytes.get(self.at..self.at + 4)?).ok()?;
        self.at += 4;
        u32::from_str_radix(digits, 16).ok()
    }

    fn items(&mut self) -> Option<Vec<Json>> {
        let mut found = Vec::new();
        self.take("[")?;
        if self.take("]").is_some() {
            return Some(found);
        }
        loop {
            found.push(self.value()?);
            if self.take(",").is_none() {
                return self.take("]").map(|()| found);
            }
        }
    }

    fn members(&mut self) -> Option<HashMap<String, Json>> {
        let mut found = HashMap::new();
        self.take("{")?;
        if self.take("}").is_some() {
            return Some(found);
        }
        loop {
            self.blanks();
            let name = self.string()?;
            self.take(":")?;
            found.insert(name, self.value()?);
            if self.take(",").is_none() {
                return self.take("}").map(|()| found);
            }
        }
    }
}
