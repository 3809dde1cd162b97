// Why a text is not YAML: the errors of js-yaml, as far as possible in the words of go-yaml: `yaml: line 5:
// did not find expected ',' or ']'`.
import { YAMLException } from 'js-yaml';

/** A text that is not YAML. */
export class YamlError extends Error {
  override readonly name = 'YamlError';
}

/**
 * go-yaml counts lines from 0 in errors of its parser and from 1 in errors of its scanner, and omits line 0.
 */
interface Wording {
  readonly finding: RegExp;
  readonly text: string;
  readonly scanner: boolean;
}

const WORDINGS: readonly Wording[] = [
  { finding: /tab characters/, text: 'found character that cannot start any token', scanner: true },
  {
    finding: /bad indentation of a mapping entry/,
    text: 'mapping values are not allowed in this context',
    scanner: true,
  },
  {
    finding: /bad indentation of a sequence entry/,
    text: "did not find expected '-' indicator",
    scanner: false,
  },
  { finding: /quoted scalar/, text: 'found unexpected end of stream', scanner: true },
  { finding: /nesting|depth/, text: 'exceeded max depth of 10000', scanner: true },
  { finding: /directive/, text: 'found unknown directive name', scanner: true },
  { finding: /escape/, text: 'found unknown escape character', scanner: true },
];

export function yamlErrorOf(error: unknown): unknown {
  if (!(error instanceof YAMLException)) return error;
  const line = error.mark?.line ?? 0;
  const open = /deficient indentation|flow collection|missed comma/.test(error.reason)
    ? openBracket(error.mark)
    : '';
  if (open !== '')
    return new YamlError(`yaml: ${where(line)}did not find expected ',' or '${open === '[' ? ']' : '}'}'`);
  const wording = WORDINGS.find(({ finding }) => finding.test(error.reason));
  if (wording === undefined) return new YamlError(`yaml: ${where(line + 1)}${error.reason}`);
  return new YamlError(`yaml: ${where(wording.scanner && line > 0 ? line + 1 : line)}${wording.text}`);
}

const where = (line: number) => (line === 0 ? '' : `line ${line}: `);

/** The bracket that is still open at the mark. Ignores quotes: brackets inside them are rare. */
function openBracket(mark: YAMLException['mark']): string {
  const open: string[] = [];
  for (const character of mark?.buffer.slice(0, mark.position) ?? '') {
    if (character === '[' || character === '{') open.push(character);
    else if (character === ']' || character === '}') open.pop();
  }
  return open.at(-1) ?? '';
}
