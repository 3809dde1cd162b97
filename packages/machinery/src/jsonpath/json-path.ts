// JSONPath as client-go's util/jsonpath implements it, for printer columns, selectable fields, and the
// templates of `kubectl -o jsonpath`.
import { encodeGoJson } from '../json/encode-go.ts';
import type { JsonValue } from '../json-value.ts';
import { compilePath, EvaluationError } from './evaluate.ts';
import { JsonPathError, type PathNode, parseTemplate, type TemplatePart } from './syntax.ts';

/** A compiled JSONPath. */
export interface JsonPath {
  /**
   * Everything that is found, in order; nothing if the path does not exist or does not fit the data. Never
   * throws.
   */
  find(value: JsonValue): JsonValue[];
  /** The rendered template. Throws EvaluationError where upstream returns an error. */
  print(value: JsonValue): string;
}

/**
 * `{.spec.x}`, text around such braces, or a bare path: `.spec.x` and `spec.x`. Throws JsonPathError.
 * Upstream's columns accept bare paths only with a leading dot, which the validation of definitions enforces.
 */
export function compileJsonPath(text: string): JsonPath {
  const parts = parseTemplate(text.includes('{') ? text : `{${/^[\p{L}_]/u.test(text) ? '.' : ''}${text}}`);
  const program = compileProgram(parts, 0, false);
  return {
    find: (value) => {
      try {
        return program.run(value).flat();
      } catch (error) {
        if (error instanceof EvaluationError) return [];
        throw error;
      }
    },
    print: (value) => program.run(value).map(printResults).join(''),
  };
}

/** Values as a template prints them: separated by spaces, lists and objects as JSON. */
function printResults(values: readonly JsonValue[]): string {
  return values.map((value) => (value === null ? 'null' : printCell(value))).join(' ');
}

/** One value as a printer column of type string shows it. */
export function printCell(value: JsonValue): string {
  if (value === null) return '<no value>';
  return typeof value === 'object' ? encodeGoJson(value) : String(value);
}

type Run = (value: JsonValue) => (readonly JsonValue[])[];

/** Compiles from `start` to the end of the template, or of the enclosing range. */
function compileProgram(
  parts: readonly TemplatePart[],
  start: number,
  inRange: boolean,
): { run: Run; end: number } {
  const runs: Run[] = [];
  for (let i = start; i < parts.length; i++) {
    const part = parts[i]!;
    if ('text' in part) {
      runs.push(() => [[part.text]]);
      continue;
    }
    const word = keyword(part.path);
    if (word === 'end') {
      if (!inRange) throw new JsonPathError('not in range, nothing to end');
      return { run: sequence(runs), end: i };
    }
    if (word === 'range') {
      const body = compileProgram(parts, i + 1, true);
      const find = compilePath(part.path.slice(1));
      runs.push((value) => find([value]).flatMap((item) => body.run(item)));
      i = body.end;
    } else {
      const find = compilePath(part.path);
      runs.push((value) => [find([value])]);
    }
  }
  return { run: sequence(runs), end: parts.length };
}

function keyword([first]: readonly PathNode[]): string | undefined {
  return first?.type === 'identifier' ? first.name : undefined;
}

function sequence(runs: readonly Run[]): Run {
  return (value) => runs.flatMap((run) => run(value));
}
