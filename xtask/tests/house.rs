//! The rules of the house that a compiler does not check.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .to_path_buf()
}

/// Layers of `ARCHITECTURE.md`: an import points to a lower number.
const LAYERS: &[(&str, u32)] = &[
    ("carom-numeric", 0),
    ("carom-ode", 0),
    ("carom-contact", 1),
    ("carom-multibody", 1),
    ("carom-sim", 2),
    ("carom-scenario", 3),
    ("carom-report", 3),
    ("carom", 4),
    ("carom-papers", 5),
    ("carom-cli", 6),
    (SUPPORT, 4),
];

/// What tests share. It may import any layer up to `carom-scenario`, and be imported by tests alone.
const SUPPORT: &str = "carom-support";

/// Imports within one layer that are allowed; `ARCHITECTURE.md` lists them with their reasons.
const SIDEWAYS: &[(&str, &str)] = &[];

fn manifests() -> BTreeMap<String, toml::Table> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(root().join("crates")).unwrap() {
        let path = entry.unwrap().path().join("Cargo.toml");
        let manifest: toml::Table = fs::read_to_string(&path).unwrap().parse().unwrap();
        let name = manifest["package"]["name"].as_str().unwrap().to_owned();
        found.insert(name, manifest);
    }
    found
}

/// The workspace crates a manifest imports, tests and build scripts included. A part of the support crate
/// that a test asks for counts as an import of the layer it is about, unless that is the crate under test.
fn imports(manifest: &toml::Table) -> Vec<String> {
    let own = manifest["package"]["name"].as_str().unwrap();
    let sections = ["dependencies", "dev-dependencies", "build-dependencies"];
    let mut found = Vec::new();
    for section in sections {
        let table = manifest.get(section).and_then(toml::Value::as_table);
        for (name, value) in table.into_iter().flatten() {
            if name == SUPPORT && section == "dev-dependencies" {
                let parts = value.get("features").and_then(toml::Value::as_array);
                let parts = parts
                    .into_iter()
                    .flatten()
                    .map(|part| part.as_str().unwrap());
                let layers = parts.map(|part| format!("carom-{part}"));
                found.extend(layers.filter(|layer| layer != own));
            } else if name.starts_with("carom") {
                found.push(name.clone());
            }
        }
    }
    found
}

/// The imports that point up or sideways, as `importer -> imported`.
fn upward(manifests: &BTreeMap<String, toml::Table>) -> Vec<String> {
    let layer = |name: &str| LAYERS.iter().find(|(n, _)| *n == name).map(|(_, l)| *l);
    let mut wrong = Vec::new();
    for (name, manifest) in manifests {
        let Some(own) = layer(name) else {
            wrong.push(format!("{name} has no layer"));
            continue;
        };
        for import in imports(manifest) {
            let is_listed = SIDEWAYS.contains(&(name, &import));
            let is_down = layer(&import).is_some_and(|other| other < own);
            if !is_down && !is_listed {
                wrong.push(format!("{name} -> {import}"));
            }
        }
    }
    wrong
}

#[test]
fn imports_point_down_the_layers() {
    let wrong = upward(&manifests());
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn an_import_that_points_up_is_noticed() {
    let mut manifests = manifests();
    let numeric = manifests.get_mut("carom-numeric").unwrap();
    let upward_import: toml::Table = "[dev-dependencies]\ncarom-contact = \"1\"".parse().unwrap();
    numeric.extend(upward_import);
    assert_eq!(upward(&manifests), ["carom-numeric -> carom-contact"]);
}

#[test]
fn code_outside_the_tests_that_imports_what_they_share_is_noticed() {
    let mut manifests = manifests();
    let sim = manifests.get_mut("carom-sim").unwrap();
    let table = sim["dependencies"].as_table_mut().unwrap();
    table.insert(SUPPORT.to_owned(), "1".into());
    assert_eq!(upward(&manifests), ["carom-sim -> carom-support"]);
}

#[test]
fn a_test_that_asks_for_what_is_above_its_crate_is_noticed() {
    let mut manifests = manifests();
    let contact = manifests.get_mut("carom-contact").unwrap();
    let support = &mut contact["dev-dependencies"][SUPPORT];
    support["features"] = vec!["contact", "sim"].into();
    assert_eq!(upward(&manifests), ["carom-contact -> carom-sim"]);
}

#[test]
fn every_crate_is_tested_where_integers_that_overflow_are_noticed() {
    let workspace: toml::Table = fs::read_to_string(root().join("Cargo.toml"))
        .unwrap()
        .parse()
        .unwrap();
    let checked = workspace["profile"]["release"]["package"]
        .as_table()
        .unwrap();
    let steps = fs::read_to_string(root().join("xtask/src/main.rs")).unwrap();
    for name in manifests().keys().filter(|name| *name != SUPPORT) {
        let in_release = checked.get(name).and_then(|own| own.get("overflow-checks"));
        let in_release = in_release.and_then(toml::Value::as_bool) == Some(true);
        let in_debug = steps.contains(&format!("\"--package\",\n            \"{name}\""));
        assert_ne!(in_release, in_debug, "{name}: in release or in debug");
    }
}

#[test]
fn a_target_that_is_built_without_tests_has_none() {
    for entry in fs::read_dir(root().join("crates")).unwrap() {
        let (path, mut sources) = (entry.unwrap().path(), Vec::new());
        let manifest = fs::read_to_string(path.join("Cargo.toml")).unwrap();
        files(&path.join("src"), ".rs", &mut sources);
        let has_test = |path: &PathBuf| fs::read_to_string(path).unwrap().contains(" #[test]");
        let is_left_out = manifest.contains("test = false") && sources.iter().any(has_test);
        assert!(!is_left_out, "{}", path.display());
    }
}

fn files(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("target") {
            files(&path, ending, found);
        } else if path.to_string_lossy().ends_with(ending) {
            found.push(path);
        }
    }
}

#[test]
fn every_reference_in_a_doc_comment_is_a_key_of_the_bibliography() {
    let bibliography = fs::read_to_string(root().join("docs/references.bib")).unwrap();
    let mut sources = Vec::new();
    files(&root().join("crates"), ".rs", &mut sources);
    let mut cited = 0;
    for path in sources {
        let text = fs::read_to_string(&path).unwrap();
        for line in text.lines().filter(|line| line.contains("Reference: `")) {
            let after = line.split("Reference:").nth(1).unwrap();
            for key in after
                .split('`')
                .skip(1)
                .step_by(2)
                .filter(|key| !key.contains('/'))
            {
                cited += 1;
                let entry = format!("{{{key},");
                assert!(bibliography.contains(&entry), "{}: {key}", path.display());
            }
        }
    }
    assert!(cited >= 5, "the search must find citations, got {cited}");
}

#[test]
fn every_link_of_the_documents_leads_to_a_file() {
    let mut pages = vec![
        root().join("README.md"),
        root().join("ARCHITECTURE.md"),
        root().join("CONTRIBUTING.md"),
        root().join("CHANGELOG.md"),
    ];
    files(&root().join("docs"), ".md", &mut pages);
    let mut links = 0;
    for page in pages {
        let text = fs::read_to_string(&page).unwrap();
        for part in text.split("](").skip(1) {
            let target = part.split([')', '#']).next().unwrap();
            if target.is_empty() || target.contains("://") {
                continue;
            }
            links += 1;
            let path = page.parent().unwrap().join(target);
            assert!(path.exists(), "{}: {target}", page.display());
        }
    }
    assert!(links > 5, "the search must find links, got {links}");
}

/// The test files of a crate that no binary takes in: named neither in `tests/main.rs` nor in the
/// manifest.
fn left_out(manifest: &toml::Table, folder: &Path) -> Vec<String> {
    let main = fs::read_to_string(folder.join("main.rs")).unwrap_or_default();
    let alone = manifest.get("test").and_then(toml::Value::as_array);
    let names = alone
        .into_iter()
        .flatten()
        .filter_map(|t| t.get("name")?.as_str());
    let alone: Vec<&str> = names.collect();
    let files = fs::read_dir(folder).into_iter().flatten();
    let paths = files.map(|entry| entry.unwrap().path());
    let stems = paths.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned());
    let is_left_out = |stem: &String| {
        let is_module = main.lines().any(|line| line == format!("mod {stem};"));
        stem != "main" && !is_module && !alone.contains(&stem.as_str())
    };
    stems.filter(is_left_out).collect()
}

#[test]
fn every_test_file_is_part_of_a_test_binary() {
    for entry in fs::read_dir(root().join("crates")).unwrap() {
        let path = entry.unwrap().path();
        let manifest: toml::Table = fs::read_to_string(path.join("Cargo.toml"))
            .unwrap()
            .parse()
            .unwrap();
        let wrong = left_out(&manifest, &path.join("tests"));
        assert!(
            wrong.is_empty(),
            "{}: {wrong:?} run nowhere",
            path.display()
        );
    }
}

/// Code lines of the body of a function, at most.
const LONGEST: usize = 60;
/// Parameters of a function, at most; `self` is one.
const PARAMETERS: usize = 7;
/// Entries of a tuple that is a parameter, below this.
const TUPLE: usize = 3;

/// A function as `cargo fmt` sets it: the brace that closes it stands under its first word.
struct Function {
    name: String,
    /// Types of the parameters.
    parameters: Vec<String>,
    /// Lines of the body that are neither empty nor a comment.
    lines: usize,
}

/// The functions of a source file that have a body on lines of its own.
fn functions(text: &str) -> Vec<Function> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        let words = line.trim_start();
        let indent = &line[..line.len() - words.len()];
        let Some(at) = keyword(words) else {
            continue;
        };
        let ends = |line: &&str| line.ends_with(['{', ';', '}']);
        let Some(head) = lines[start..].iter().position(ends) else {
            continue;
        };
        if !lines[start + head].ends_with('{') {
            continue;
        }
        let signature = lines[start..=start + head].join(" ");
        let signature = &signature[indent.len() + at + "fn ".len()..];
        let name = signature.split(['(', '<']).next().unwrap();
        let body = lines[start + head + 1..].iter();
        let close = format!("{indent}}}");
        let body = body.take_while(|line| **line != close);
        let is_code = |line: &&&str| !line.trim().is_empty() && !line.trim().starts_with("//");
        found.push(Function {
            name: name.to_owned(),
            parameters: parameters(signature),
            lines: body.filter(is_code).count(),
        });
    }
    found
}

/// Where `fn` stands in a line that opens a function.
fn keyword(line: &str) -> Option<usize> {
    let at = match line.starts_with("fn ") {
        true => 0,
        false => line.find(" fn ")? + 1,
    };
    let is_word = |word: &str| {
        let known = ["const", "async", "unsafe", "extern", "\"C\"", "pub"];
        known.contains(&word) || word.starts_with("pub(") || word.ends_with(')')
    };
    line[..at].split_whitespace().all(is_word).then_some(at)
}

/// The characters of a text that no bracket encloses, with their places; brackets that open or close
/// such a stretch are among them. An arrow closes none.
fn outside(text: &str) -> Vec<(usize, char)> {
    let (mut found, mut depth, mut last) = (Vec::new(), 0, ' ');
    for (at, c) in text.char_indices() {
        let is_arrow = c == '>' && (last == '-' || last == '=');
        depth -= i32::from(")]}>".contains(c) && !is_arrow);
        if depth == 0 {
            found.push((at, c));
        }
        depth += i32::from("([{<".contains(c));
        last = c;
    }
    found
}

/// The entries of a list.
fn entries(list: &str) -> Vec<&str> {
    let commas = outside(list).into_iter().filter(|(_, c)| *c == ',');
    let ends = commas.map(|(at, _)| at).chain([list.len()]);
    let mut start = 0;
    let entry = |end: usize| {
        let entry = list[start..end].trim();
        start = end + 1;
        entry
    };
    let found: Vec<&str> = ends.map(entry).collect();
    found
        .into_iter()
        .filter(|entry| !entry.is_empty())
        .collect()
}

/// Types of the parameters of a function, from its name on.
fn parameters(signature: &str) -> Vec<String> {
    let brackets = outside(signature).into_iter();
    let mut round = brackets.filter(|(_, c)| "()".contains(*c));
    let (Some((open, _)), Some((close, _))) = (round.next(), round.next()) else {
        return Vec::new();
    };
    let kind = |entry: &str| {
        let colon = outside(entry).into_iter().find(|(_, c)| *c == ':');
        entry[colon.map_or(0, |(at, _)| at + 1)..].trim().to_owned()
    };
    let found = entries(&signature[open + 1..close]);
    found.into_iter().map(kind).collect()
}

/// What is wrong with the size of a function, if something is.
fn oversize(function: &Function) -> Vec<String> {
    let mut wrong = Vec::new();
    if function.lines > LONGEST {
        wrong.push(format!("{} lines, expected {LONGEST}", function.lines));
    }
    let count = function.parameters.len();
    if count > PARAMETERS {
        wrong.push(format!("{count} parameters, expected {PARAMETERS}"));
    }
    for kind in &function.parameters {
        let bare = kind.trim_start_matches(['&', '[']);
        let bare = bare.strip_prefix("mut ").unwrap_or(bare);
        let inner = bare
            .strip_prefix('(')
            .and_then(|rest| rest.strip_suffix(')'));
        if inner.is_some_and(|inner| entries(inner).len() >= TUPLE) {
            wrong.push(format!(
                "the parameter {kind}, expected a struct with names"
            ));
        }
    }
    wrong
}

#[test]
fn no_function_is_longer_than_a_reader_can_hold() {
    let mut sources = Vec::new();
    for entry in fs::read_dir(root().join("crates")).unwrap() {
        files(&entry.unwrap().path().join("src"), ".rs", &mut sources);
    }
    files(&root().join("xtask/src"), ".rs", &mut sources);
    let (mut seen, mut wrong) = (0, Vec::new());
    for path in sources {
        for function in functions(&fs::read_to_string(&path).unwrap()) {
            seen += 1;
            let said = oversize(&function);
            let told = said
                .iter()
                .map(|why| format!("{}: {}: {why}", path.display(), function.name));
            wrong.extend(told);
        }
    }
    assert!(seen > 1000, "the search must find functions, got {seen}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_function_that_is_too_large_is_noticed() {
    let long = "    let x = 1; // why\n\n    // a remark\n".repeat(LONGEST + 1);
    let text = format!(
        "pub(crate) fn long<T: Fn(f64) -> f64>(f: T) -> f64\nwhere\n    T: Copy,\n{{\n{long}}}\n"
    );
    let found = functions(&text);
    assert_eq!(
        (found[0].name.as_str(), found[0].lines),
        ("long", LONGEST + 1)
    );
    assert_eq!(oversize(&found[0]).len(), 1);
    let text = "    fn many(&self, a: A<B, C>, b: &[(f64, u8)], c: [f64; 3], d: D, e: E, g: G, h: H) -> (u8, u8) {\n    }\n";
    let found = functions(text);
    assert_eq!(found[0].parameters.len(), 8);
    assert_eq!(oversize(&found[0]).len(), 1);
    for kind in ["(f64, f64, f64)", "&mut (A<B, C>, f64, [f64; 2])"] {
        let text = format!("fn hidden((a, b, c): {kind}) {{\n}}\nfn pair(p: (f64, f64)) {{\n}}\n");
        let found = functions(&text);
        assert_eq!(oversize(&found[0]).len(), 1, "{kind}");
        assert_eq!(oversize(&found[1]).len(), 0);
    }
}
