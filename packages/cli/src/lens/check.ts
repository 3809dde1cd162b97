// Runs `instar lens check` and prints what the analysis found.
import { type Analysis, analyze, type LensFinding } from '@instar/lens';
import { fieldErrorMessage } from '@instar/machinery';
import type { JSONSchemaProps } from '@instar/schema';
import { CommandFailure } from '../exit-with-message.ts';
import { readDefinition } from '../test/load-definition.ts';
import { readParsedLens } from './read-lens.ts';

export interface CheckFlags {
  readonly crd?: string;
  readonly oldCrd?: string;
  readonly all?: boolean;
  readonly format: 'text' | 'json';
}

/** The exit code. */
export async function checkLens(file: string, flags: CheckFlags): Promise<number> {
  const { lens, errors } = await readParsedLens(file);
  if (lens === undefined) {
    const texts = errors.map(fieldErrorMessage);
    process.stdout.write(
      flags.format === 'json'
        ? `${JSON.stringify({ errors: texts }, null, 2)}\n`
        : texts.map((text) => `error: ${text}\n`).join(''),
    );
    return 1;
  }
  const ways = lens.steps.map(
    ({ from, to, ops }) => `${from} ↔ ${to}: ${ops.length} operation${ops.length === 1 ? '' : 's'}`,
  );
  if (flags.crd === undefined && flags.oldCrd === undefined) {
    process.stdout.write(
      flags.format === 'json'
        ? '{\n  "errors": []\n}\n'
        : `${lens.crd}: ${ways.join(', ')}. With --crd also what they lose.\n`,
    );
    return 0;
  }
  const analysis = analyze(lens, await schemasOf(lens.crd, flags));
  const text =
    flags.format === 'json'
      ? `${JSON.stringify(analysis, null, 2)}\n`
      : `${[...ways, ...linesOf(analysis, flags.all === true)].join('\n')}\n`;
  process.stdout.write(text);
  return analysis.isComplete ? 0 : 1;
}

/** The newer definition counts where both have a version. */
async function schemasOf(name: string, { crd, oldCrd }: CheckFlags): Promise<Map<string, JSONSchemaProps>> {
  const schemas = new Map<string, JSONSchemaProps>();
  for (const file of [oldCrd, crd]) {
    if (file === undefined) continue;
    const { spec } = await readDefinition(file, name);
    for (const { name: version, schema } of spec.versions ?? []) {
      if (schema?.openAPIV3Schema !== undefined) schemas.set(version, schema.openAPIV3Schema);
    }
  }
  if (schemas.size === 0) throw new CommandFailure(`${name} has no schemas`, 2);
  return schemas;
}

const MARKS = { error: '✗', warning: '!', info: '·' } as const;

function linesOf({ findings, proofs, isComplete, withoutSchema }: Analysis, all: boolean): string[] {
  const shown = all ? findings : findings.filter(({ kind }) => kind !== 'carried' && kind !== 'unfilled');
  const carried = findings.filter(({ kind }) => kind === 'carried').length;
  const proved = proofs.map(
    ({ from, to, path, because }) => `✓ ${from} → ${to}  ${path}: required, and ${because}`,
  );
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  return [
    ...shown.map(lineOf),
    ...(all
      ? proved
      : [
          `✓ ${proofs.length} required fields are proved to have values; ${carried} fields are carried over unchanged (--all lists them)`,
        ]),
    ...(withoutSchema.length > 0
      ? [`! no schema for ${withoutSchema.join(', ')}: conversions to it were not analyzed`]
      : []),
    isComplete ? 'complete: nothing is lost' : `incomplete: ${errors} error${errors === 1 ? '' : 's'}`,
  ];
}

function lineOf({ severity, kind, from, to, path, op, message }: LensFinding): string {
  return `${MARKS[severity]} ${from} → ${to}  ${path}: ${kind}: ${message}${op === undefined ? '' : ` (${op})`}`;
}
