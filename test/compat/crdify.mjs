// Compares our findings with crdify's recorded ones by path, and classifies the differences. Each class is
// explained in docs/check-corpus.md.

/** crdify's names for what our rules report. */
const OURS = {
  required: ['required-added', 'new-required-field'],
  maxLength: ['max-length'],
  minLength: ['min-length'],
  maxItems: ['max-items'],
  minItems: ['min-items'],
  maximum: ['maximum'],
  minimum: ['minimum'],
  default: ['default-added', 'default-removed', 'default-changed'],
  enum: ['enum-added', 'enum-removed', 'enum-value-added', 'enum-value-removed'],
  type: ['type-changed', 'type-widened', 'field-removed', 'field-renamed'],
  existingFieldRemoval: ['field-removed', 'field-renamed'],
};

/**
 * v1.^.spec.a[*] → spec.a[*], as both of us can compare it: * for the values of maps and the items of lists.
 */
const normal = (path) => path.replace(/^.*?\^\.?/, '').replaceAll('[*]', '.*');

export function crdifyDisagreements(results, recorded) {
  const classes = new Map();
  const note = (name, text) => classes.set(name, [...(classes.get(name) ?? []), text]);
  let pairs = 0;
  let agreed = 0;
  let places = 0;
  let same = 0;
  for (const { dir, findings, changes } of results) {
    const verdict = recorded.get(dir);
    if (verdict === undefined) continue;
    if (verdict.error) {
      note('pair: crdify crashed', dir);
      continue;
    }
    pairs++;
    const theirs = verdict.findings.filter(({ rule }) => rule !== 'description');
    const ours = findings.filter(({ severity }) => severity === 'breaking' || severity === 'unsure');
    if (theirs.length > 0 === ours.length > 0) agreed++;
    else
      note(
        theirs.length > 0 ? 'pair: only crdify says it breaks' : 'pair: only we say it breaks',
        `${dir} (${changes.join(' ')})`,
      );
    for (const finding of theirs.filter(({ scope }) => scope !== 'served versions')) {
      places++;
      const name = placeClass(finding, findings);
      if (name === undefined) same++;
      else note(name, `${dir} ${finding.rule} ${finding.path ?? ''} ${finding.message.slice(0, 160)}`);
    }
  }
  const lines = [
    `crdify (descriptions aside): the same verdict for ${agreed} of ${pairs} pairs; ${same} of ${places} of its findings within one version are breaking or unsure for us too`,
    ...[...byReason(classes)]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([reason, count]) => `  ${String(count).padStart(5)}  ${reason}`),
    ...[...classes]
      .filter(([name]) => name.startsWith('pair:'))
      .map(([name, all]) => `  ${String(all.length).padStart(5)}  ${name.slice(6)} (whole pairs)`),
  ];
  return { text: lines.join('\n'), classes };
}

function byReason(classes) {
  const counts = new Map();
  for (const [name, all] of classes) {
    if (!name.startsWith('pair:')) counts.set(reasonOf(name), (counts.get(reasonOf(name)) ?? 0) + all.length);
  }
  return counts;
}

/** Undefined: we report it too. */
function placeClass(finding, findings) {
  if (finding.rule === 'unhandled') return unhandledClass(finding, findings);
  const path =
    finding.path === undefined
      ? normal(finding.message.replace(/^removed field : /, ''))
      : normal(finding.path);
  const version = finding.version ?? /removed field : ([^.]+)\./.exec(finding.message)?.[1];
  const at = findings.filter(
    (one) => one.version === version && OURS[finding.rule]?.includes(one.rule) && covers(one, path, finding),
  );
  if (at.length > 0) {
    const [worst] = at;
    return worst.severity === 'breaking' || worst.severity === 'unsure'
      ? undefined
      : `${finding.rule}: ${worst.severity} for us (${worst.rule}: ${kindOf(worst)})`;
  }
  const above = sayingAbove(findings, version, path);
  if (above !== undefined) return `${finding.rule}: said by us at a place above (${above.rule})`;
  if (/removed field/.test(finding.message) || /-> ""/.test(finding.message))
    return `${finding.rule}: version removed or place not found`;
  return `${finding.rule}: nothing at that place`;
}

const ABOVE = [
  'field-removed',
  'field-renamed',
  'type-changed',
  'type-widened',
  'additional-properties',
  'preserve-unknown-fields',
  'version-removed',
  'one-of',
  'any-of',
  'not',
  'all-of',
];

/**
 * A finding that we report once at a parent path: crdify flattens a schema, including alternatives, and
 * compares every path separately.
 */
function sayingAbove(findings, version, path) {
  return findings.find(
    (one) =>
      one.version === version && ABOVE.includes(one.rule) && isAbove(normalOurs(one.path ?? '-'), path),
  );
}

const normalOurs = (path) => path.replaceAll('[*]', '.*');
const isAbove = (above, path) => path === above || path.startsWith(`${above}.`) || above === '';

/**
 * crdify repeats a removal at every field below it, and as a change of type; we report it once, at the
 * topmost field. crdify reports required fields at the object.
 */
function covers(ours, path, { rule }) {
  const mine = normalOurs(ours.path ?? '');
  if (rule === 'required')
    return (
      mine.startsWith(path === '' ? '' : `${path}.`) &&
      mine.slice(path.length + (path === '' ? 0 : 1)).indexOf('.') < 0
    );
  if (ours.rule === 'field-removed' || ours.rule === 'field-renamed' || ours.rule === 'type-changed')
    return isAbove(mine, path);
  return mine === path;
}

function kindOf({ message }) {
  if (/zero value/.test(message)) return 'the zero value';
  if (/declared open/.test(message)) return 'declared open';
  if (/with the default/.test(message)) return 'it has a default';
  if (/implied/.test(message)) return 'it was implied';
  if (/widened/.test(message)) return 'wider';
  return message
    .replace(/[^a-z ]/gi, '')
    .slice(0, 40)
    .trim();
}

const below = (path, ours) => (ours.startsWith(path) ? ours.slice(path.length) : '');

/** Why we differ, by our finding: the classes of docs/check-corpus.md. The first match counts. */
const REASONS = [
  [/^pair:/, undefined],
  [/\(list-type\)/, 'a: list types: atomic becomes explicit, which is the default, or is replaced'],
  [/\(map-type\)/, 'b: map types: a caution, as nothing is refused'],
  [/the zero value/, 'c: a default that is the zero value: a caution'],
  [
    /place above \((field-|type-|additional|preserve|version)/,
    'd: reported once, at the parent field that was removed or changed',
  ],
  [
    /place above \((one-of|any-of|not|all-of)/,
    'e: alternatives: crdify reads anyOf, oneOf and not as part of the field',
  ],
  [/\(nullable\)/, 'f: null is now accepted: a caution'],
  [/enum-removed/, 'g: an enum was opened: a caution'],
  [/\(pattern/, 'h: the new pattern matches everything that the old one matched'],
  [/type-widened/, 'i: a wider type: a caution'],
  [/cel-rule/, 'j: rules that are weaker, removed, or about a new field'],
  [/\(format\)|m(in|ax)Length/, 'k: formats and lengths that refuse nothing that was valid'],
  [/declared open/, 'l: an enum that was declared open'],
  [
    /the versio|the same d/,
    'n: the version is not served, or the default is the same duration written differently',
  ],
  [
    /field-added|required-removed|preserve-unknown|additional-properties|default-added/,
    'o: looser, as another rule says',
  ],
  [
    /nothing/,
    'm: nothing changed that affects an API server (descriptions of map values, kind and metadata, allOf repeated)',
  ],
];

export const reasonOf = (name) => REASONS.find(([pattern]) => pattern.test(name))?.[1] ?? `z: ${name}`;

/**
 * What crdify calls unhandled is a printed difference of the whole schema at a path. We have rules for all of
 * it.
 */
function unhandledClass({ path, version, message }, findings) {
  const mine = findings.filter((one) => one.version === version && one.scope === 'same-version');
  const exact = mine.filter((one) => normalOurs(one.path ?? '') === normal(path));
  // For crdify the schema of the values of a map is part of the map; we report its changes at the path that
  // ends in .*.
  const here =
    exact.length > 0
      ? exact
      : mine.filter((one) => /^\.\*(\..*)?$/.test(below(normal(path), normalOurs(one.path ?? ''))));
  const worst = here.find(({ severity }) => severity === 'breaking' || severity === 'unsure');
  if (worst !== undefined) return undefined;
  const above = sayingAbove(mine, version, normal(path));
  if (here.length === 0 && above !== undefined)
    return `unhandled by crdify: said by us at a place above (${above.rule})`;
  const keyword = /^[-+]\s*\t+\s*"?(\w+)"?:/m.exec(message)?.[1] ?? 'other';
  return `unhandled by crdify (${keyword}): ${here[0] === undefined ? 'nothing for us' : `${here[0].severity} for us (${here[0].rule})`}`;
}
