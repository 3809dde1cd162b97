// Masks what legitimately differs between two runs or two servers, and keeps everything else.

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const AGE = /^\d{1,2}s$/;
const UID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/**
 * One per scenario: the same uid, resourceVersion or port always becomes the same token, in order of first
 * sight.
 */
export class Masks {
  #seen = { uid: new Map(), rv: new Map(), port: new Map() };
  token(kind, value) {
    const map = this.#seen[kind];
    if (!map.has(value)) map.set(value, `<${kind}${map.size + 1}>`);
    return map.get(value);
  }
}

export function normalise(value, masks, key = '') {
  if (Array.isArray(value)) return value.map((v) => normalise(v, masks));
  if (value && typeof value === 'object') {
    const out = {};
    const isList = Array.isArray(value.items) || Array.isArray(value.rows) || value.type === 'BOOKMARK';
    for (const k of Object.keys(value).sort()) {
      if (value[k] === undefined) continue; // as in the recorded JSON
      if (isList && k === 'metadata') {
        out[k] = normalise(
          { ...value[k], resourceVersion: value[k]?.resourceVersion && '<list-rv>' },
          masks,
          'list',
        );
        continue;
      }
      if (k === 'continue' && value[k]) {
        out[k] = '<continue>';
        continue;
      }
      if (k === 'caBundle' || k === 'hash' || k === 'serverRelativeURL') {
        out[k] = `<${k}>`;
        continue;
      }
      out[k] = normalise(value[k], masks, k);
    }
    return out;
  }
  if (typeof value === 'string') {
    if (key === 'resourceVersion' && value !== '' && value !== '0' && value !== '<list-rv>')
      return masks.token('rv', value);
    if (TIME.test(value)) return '<time>';
    return value
      .replace(UID, (u) => masks.token('uid', u))
      .replace(/\b(127\.0\.0\.1|localhost):(\d{2,5})\b/g, (_, _h, p) => `<host>:${masks.token('port', p)}`);
  }
  return value;
}

/**
 * Differences by JSON path. `soft` ones are human-readable text (messages, causes' messages) whose wording
 * may differ.
 */
export function differences(expected, actual, path = '$') {
  if (Object.is(expected, actual)) return [];
  // How old an object is when it is printed depends on the machine.
  if (/\.cells\[\d+\]$/.test(path) && AGE.test(expected) && AGE.test(actual)) return [];
  const bothArrays = Array.isArray(expected) && Array.isArray(actual);
  const bothObjects =
    expected &&
    actual &&
    typeof expected === 'object' &&
    typeof actual === 'object' &&
    !Array.isArray(expected) &&
    !Array.isArray(actual);
  if (bothArrays && expected.length === actual.length)
    return expected.flatMap((e, i) => differences(e, actual[i], `${path}[${i}]`));
  if (bothObjects) {
    const keys = new Set([...Object.keys(expected), ...Object.keys(actual)]);
    return [...keys].flatMap((k) => differences(expected[k], actual[k], `${path}.${k}`));
  }
  const soft =
    /\.message$|\.description$|\.warnings(\[\d+\])?$/.test(path) &&
    typeof expected === 'string' &&
    typeof actual === 'string';
  return [{ path, expected, actual, soft }];
}
