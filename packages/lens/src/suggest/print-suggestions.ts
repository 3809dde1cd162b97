// Prints suggestions as a document that can be saved and edited: one operation per line, with what is unsure
// as a comment.
import { encodeJson, isJsonObject, type JsonValue } from '@instar/machinery';
import { LENS_API_VERSION, LENS_KIND } from '../document.ts';
import { SURE, type Suggestion } from './suggestion.ts';

/** The operations suggested for a pair of versions. */
export interface SuggestedStep {
  readonly from: string;
  readonly to: string;
  readonly suggestions: readonly Suggestion[];
}

/** A lens document with the suggested operations, as YAML. */
export function printSuggestions(crd: string, steps: readonly SuggestedStep[]): string {
  const head = [
    `apiVersion: ${LENS_API_VERSION}`,
    `kind: ${LENS_KIND}`,
    'metadata:',
    `  name: ${crd}`,
    'spec:',
    `  crd: ${crd}`,
    '  lenses:',
  ];
  return `${[...head, ...steps.flatMap(stepLines)].join('\n')}\n`;
}

function stepLines({ from, to, suggestions }: SuggestedStep): string[] {
  const start = [`    - from: ${from}`, `      to: ${to}`];
  if (suggestions.length === 0) return [...start, '      ops: []'];
  return [...start, '      ops:', ...suggestions.map((suggestion) => `        - ${line(suggestion)}`)];
}

function line({ op, confidence, why }: Suggestion): string {
  const [name, spec] = Object.entries(op)[0]!;
  const remark = confidence >= SURE ? '' : ` # unsure (${Math.round(confidence * 100)} %): ${why}`;
  return `${name}: ${flow(spec as unknown as JsonValue)}${remark}`;
}

/** Words that YAML would not read as a string. */
const RESERVED = /^(?:true|false|yes|no|on|off|y|n|null|~)$/i;
const PLAIN = /^[A-Za-z_][A-Za-z0-9_./-]*$/;

function flow(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (isJsonObject(value)) {
    const members = Object.keys(value).map((key) => `${flow(key)}: ${flow(value[key]!)}`);
    return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
  }
  return typeof value === 'string' && PLAIN.test(value) && !RESERVED.test(value) ? value : encodeJson(value);
}
