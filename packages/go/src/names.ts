// The formats of names and keys in Kubernetes. Each function returns the reasons why a value is refused, in
// upstream's words; none if it is valid. Lengths are in bytes, as upstream counts them, even where the
// message says characters.
import { utf8Length } from './utf8.ts';

const DNS1123_LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const DNS1123_SUBDOMAIN = `${DNS1123_LABEL}(\\.${DNS1123_LABEL})*`;
const DNS1035_LABEL = '[a-z]([-a-z0-9]*[a-z0-9])?';
const LABEL_KEY = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const LABEL_VALUE = `(${LABEL_KEY})?`;
const CONFIG_MAP_KEY = '[-._a-zA-Z0-9]+';

const MAX_LABEL_BYTES = 63;
const MAX_SUBDOMAIN_BYTES = 253;

const whole = (format: string) => new RegExp(`^${format}$`);
const isDns1123Label = whole(DNS1123_LABEL);
const isDns1123Subdomain = whole(DNS1123_SUBDOMAIN);
const isDns1035Label = whole(DNS1035_LABEL);
const isLabelKey = whole(LABEL_KEY);
const isLabelValue = whole(LABEL_VALUE);
const isConfigMapKey = whole(CONFIG_MAP_KEY);

/** `rule (e.g. 'a',  or 'b', regex used for validation is '…')`: the odd spacing is upstream's. */
function formatFault(rule: string, format: string, ...examples: string[]): string {
  if (examples.length === 0) return `${rule} (regex used for validation is '${format}')`;
  return `${rule} (e.g. ${examples.map((example) => `'${example}', `).join(' or ')}regex used for validation is '${format}')`;
}

const tooManyCharacters = (max: number) => `must be no more than ${max} characters`;
const tooManyBytes = (max: number) => `must be no more than ${max} bytes`;

/** Upstream's IsDNS1123Label: names of namespaces and the like. */
export function validateDns1123Label(value: string): string[] {
  const faults: string[] = [];
  if (utf8Length(value) > MAX_LABEL_BYTES) faults.push(tooManyCharacters(MAX_LABEL_BYTES));
  if (isDns1123Label.test(value)) return faults;
  if (isDns1123Subdomain.test(value)) return [...faults, 'must not contain dots'];
  const rule =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
  return [...faults, formatFault(rule, DNS1123_LABEL, 'my-name', '123-abc')];
}

const SUBDOMAIN_RULE =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";

/** Upstream's IsDNS1123Subdomain: the names of most objects. */
export function validateDns1123Subdomain(value: string): string[] {
  const faults: string[] = [];
  if (utf8Length(value) > MAX_SUBDOMAIN_BYTES) faults.push(tooManyCharacters(MAX_SUBDOMAIN_BYTES));
  if (!isDns1123Subdomain.test(value))
    faults.push(formatFault(SUBDOMAIN_RULE, DNS1123_SUBDOMAIN, 'example.com'));
  return faults;
}

/** Upstream's IsDNS1035Label: the names of services. */
export function validateDns1035Label(value: string): string[] {
  const faults: string[] = [];
  if (utf8Length(value) > MAX_LABEL_BYTES) faults.push(tooManyCharacters(MAX_LABEL_BYTES));
  if (isDns1035Label.test(value)) return faults;
  const rule =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
  return [...faults, formatFault(rule, DNS1035_LABEL, 'my-name', 'abc-123')];
}

const LABEL_KEY_RULE =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const LABEL_KEY_FAULT = formatFault(LABEL_KEY_RULE, LABEL_KEY, 'MyName', 'my.name', '123-abc');

/**
 * Keys of labels, annotations and finalizers: a name, or a DNS subdomain, a slash and a name. Upstream's
 * IsQualifiedName.
 */
export function validateQualifiedName(value: string): string[] {
  const parts = value.split('/');
  if (parts.length > 2) {
    return [
      `a valid label key ${LABEL_KEY_FAULT} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const name = parts.at(-1)!;
  const faults = parts.length === 2 ? prefixFaults(parts[0]!) : [];
  if (name === '') faults.push('name part must be non-empty');
  else if (utf8Length(name) > MAX_LABEL_BYTES) faults.push(`name part ${tooManyBytes(MAX_LABEL_BYTES)}`);
  if (!isLabelKey.test(name)) faults.push(`name part ${LABEL_KEY_FAULT}`);
  return faults;
}

function prefixFaults(prefix: string): string[] {
  if (prefix === '') return ['prefix part must be non-empty'];
  const faults = utf8Length(prefix) > MAX_SUBDOMAIN_BYTES ? [tooManyBytes(MAX_SUBDOMAIN_BYTES)] : [];
  if (!isDns1123Subdomain.test(prefix))
    faults.push(formatFault(SUBDOMAIN_RULE, DNS1123_SUBDOMAIN, 'example.com'));
  return faults.map((fault) => `prefix part ${fault}`);
}

/** Upstream's IsValidLabelValue. */
export function validateLabelValue(value: string): string[] {
  const faults: string[] = [];
  if (utf8Length(value) > MAX_LABEL_BYTES) faults.push(tooManyBytes(MAX_LABEL_BYTES));
  if (isLabelValue.test(value)) return faults;
  const rule =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
  return [...faults, formatFault(rule, LABEL_VALUE, 'MyValue', 'my_value', '12345')];
}

/** Upstream's IsConfigMapKey: keys of config maps and secrets. */
export function validateConfigMapKey(value: string): string[] {
  const faults: string[] = [];
  if (utf8Length(value) > MAX_SUBDOMAIN_BYTES) faults.push(tooManyCharacters(MAX_SUBDOMAIN_BYTES));
  if (!isConfigMapKey.test(value)) {
    const rule = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'";
    faults.push(formatFault(rule, CONFIG_MAP_KEY, 'key.name', 'KEY_NAME', 'key-name'));
  }
  faults.push(...parentFolderFaults(value));
  return faults;
}

/** Keys become file names in volumes, so none may lead out of its folder. */
function parentFolderFaults(value: string): string[] {
  if (value === '.') return ["must not be '.'"];
  if (value === '..') return ["must not be '..'"];
  return value.startsWith('..') ? ["must not start with '..'"] : [];
}

/** Upstream's IsValidPortNum. */
export function validatePortNumber(port: number): string[] {
  return Number.isInteger(port) && port >= 1 && port <= 65535
    ? []
    : ['must be between 1 and 65535, inclusive'];
}
