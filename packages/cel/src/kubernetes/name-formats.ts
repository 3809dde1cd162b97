/**
 * The forms of names in Kubernetes, each as a check that returns what is wrong in the words of the API
 * server. Expressions are anchored and simple, so that the engine's own regular expressions are safe here.
 */
import { byteStringOf } from './byte-string.ts';

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomain = `${label}(\\.${label})*`;
const rfc1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const key = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const value = `(${key})?`;

const labelText =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
const subdomainText =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
const rfc1035Text =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
const keyText =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const valueText = `a valid label must be an empty string or ${keyText.slice('must '.length)}`;

// Fixed shapes without nested repetition over the same characters: a label ends where a dot starts.
const isLabel = (text: string): boolean => /^[a-z0-9][-a-z0-9]*$/.test(text) && !text.endsWith('-');
const isSubdomain = (text: string): boolean => text.split('.').every(isLabel);
const isRfc1035 = (text: string): boolean => /^[a-z]/.test(text) && isLabel(text);
const isKey = (text: string): boolean =>
  /^[A-Za-z0-9][-A-Za-z0-9_.]*$/.test(text) && /[A-Za-z0-9]$/.test(text);

export function dns1123LabelErrors(text: string): string[] {
  const shape = isSubdomain(text)
    ? 'must not contain dots'
    : shapeError(labelText, label, 'my-name', '123-abc');
  return [...lengthErrors(text, 63), ...(isLabel(text) ? [] : [shape])];
}

export function dns1123SubdomainErrors(text: string): string[] {
  return [
    ...lengthErrors(text, 253),
    ...(isSubdomain(text) ? [] : [shapeError(subdomainText, subdomain, 'example.com')]),
  ];
}

export function dns1035LabelErrors(text: string): string[] {
  return [
    ...lengthErrors(text, 63),
    ...(isRfc1035(text) ? [] : [shapeError(rfc1035Text, rfc1035, 'my-name', 'abc-123')]),
  ];
}

export function labelValueErrors(text: string): string[] {
  const valid = text === '' || isKey(text);
  return [
    ...lengthErrors(text, 63),
    ...(valid ? [] : [shapeError(valueText, value, 'MyValue', 'my_value', '12345')]),
  ];
}

export function qualifiedNameErrors(text: string): string[] {
  const keyShape = shapeError(keyText, key, 'MyName', 'my.name', '123-abc');
  const [first, second, ...more] = text.split('/');
  if (more.length > 0)
    return [
      `a valid label key ${keyShape} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  const name = second ?? first!;
  const errors = second === undefined ? [] : prefixErrors(first!);
  if (name === '') errors.push('name part must be non-empty');
  else errors.push(...lengthErrors(name, 63).map((error) => `name part ${error}`));
  if (!isKey(name)) errors.push(`name part ${keyShape}`);
  return errors;
}

function prefixErrors(prefix: string): string[] {
  if (prefix === '') return ['prefix part must be non-empty'];
  return dns1123SubdomainErrors(prefix).map((error) => `prefix part ${error}`);
}

/**
 * Something will be appended to the name, so it may end with a dash. Upstream hides the dash and one
 * character before it.
 */
export function asPrefix(text: string): string {
  return text.length > 1 && text.endsWith('-') ? `${text.slice(0, -2)}a` : text;
}

function lengthErrors(text: string, limit: number): string[] {
  return byteStringOf(text).length > limit ? [`must be no more than ${limit} bytes`] : [];
}

function shapeError(text: string, expression: string, ...examples: string[]): string {
  return `${text} (e.g. ${examples.map((example) => `'${example}', `).join(' or ')}regex used for validation is '${expression}')`;
}
