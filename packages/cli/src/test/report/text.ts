// The report for people.
import { type DirectionReport, describeEdit, type LawFailure, type SampleReport } from '@instar/lens/proof';
import { type JsonValue, printYaml } from '@instar/machinery';
import { type Colors, colorsFor } from './colors.ts';
import { differenceLines } from './difference-lines.ts';
import { isSampleGood, type TestReport } from './report.ts';

export function textReport(report: TestReport, options: { readonly colors: boolean }): string {
  const colors = colorsFor(options.colors);
  const { definition, proof, samples, target } = report;
  const versions = definition.versions.map(({ name }) => name).join(', ');
  const width = Math.max(
    'samples'.length,
    ...proof.directions.map(({ from, to }) => `${from} → ${to}`.length),
  );
  const lines = [
    `${colors.bold(definition.name)} (${versions}) by ${target}, seed ${proof.seed}`,
    '',
    ...sampleLines(samples, width, colors),
    ...proof.directions.flatMap((direction) => directionLines(direction, width, colors)),
    '',
    ...samples.filter((sample) => !isSampleGood(sample)).flatMap((sample) => badSample(sample, colors)),
    ...proof.failures.flatMap((failure) => failureLines(failure, colors)),
    ...leftOutLines(proof.directions, colors),
    summary(report, colors),
  ];
  return `${lines.join('\n')}\n`;
}

const count = (value: number, word: string): string =>
  `${value.toLocaleString('en')} ${word}${value === 1 ? '' : 's'}`;

function sampleLines(samples: readonly SampleReport[], width: number, colors: Colors): string[] {
  if (samples.length === 0) return [];
  const bad = samples.filter((sample) => !isSampleGood(sample)).length;
  const outcome =
    bad === 0 ? colors.green('✓ all agree') : colors.red(`✗ ${bad} ${bad === 1 ? 'does' : 'do'} not agree`);
  return [`  ${'samples'.padEnd(width)} ${count(samples.length, 'conversion')}  ${outcome}`];
}

function directionLines(
  { from, to, objects, laws, generationFailure }: DirectionReport,
  width: number,
  colors: Colors,
): string[] {
  const broken = laws.filter((law) => law.broken).map(({ law }) => law);
  const edits = laws.find(({ law }) => law === 'edit')?.checked;
  const asked = laws.filter(({ notApplicable }) => notApplicable === undefined).length;
  const outcome =
    broken.length === 0
      ? colors.green(asked === 1 ? '✓ 1 law holds' : `✓ ${asked} laws hold`)
      : colors.red(`✗ broken: ${broken.join(', ')}`);
  const notes = laws.flatMap(({ law, notApplicable }) =>
    notApplicable === undefined ? [] : [colors.dim(`      ${law} was not checked: ${notApplicable}`)],
  );
  const failed = generationFailure === undefined ? [] : [colors.red(`      ${generationFailure}`)];
  return [
    `  ${`${from} → ${to}`.padEnd(width)} ${count(objects, 'object')}${edits === undefined ? '' : `, ${count(edits, 'edit')}`}  ${outcome}`,
    ...notes,
    ...failed,
  ];
}

function badSample({ name, from, to, failure, differences }: SampleReport, colors: Colors): string[] {
  return [
    colors.red(`✗ sample ${name}: ${from} converted to ${to} is not the sample in ${to}`),
    ...(failure === undefined ? [] : [`    ${failure}`]),
    ...differenceLines(differences, '    ', colors),
    '',
  ];
}

function failureLines(
  { law, title, from, to, objects, shrinkSteps, violation, seed }: LawFailure,
  colors: Colors,
): string[] {
  const { message, differences, edit, shown = [] } = violation;
  return [
    colors.red(`✗ ${law}, ${from} → ${to}. The law: ${title}.`),
    `    ${message}`,
    ...differenceLines(differences, '    ', colors),
    colors.dim(
      `  the smallest ${objects.length === 1 ? 'object' : 'objects'} found for it, after ${count(shrinkSteps, 'step')}:`,
    ),
    ...objects.flatMap((object) => yamlLines(object as unknown as JsonValue)),
    ...(edit === undefined ? [] : [colors.dim(`  the change: ${describeEdit(edit)}`)]),
    ...shown.flatMap(({ title: what, object }) => [colors.dim(`  ${what}:`), ...yamlLines(object)]),
    colors.dim(`  --seed ${seed} repeats this.`),
    '',
  ];
}

const yamlLines = (value: JsonValue): string[] => [
  ...printYaml(value)
    .trimEnd()
    .split('\n')
    .map((line) => `    ${line}`),
];

/** What the generator could not reach is reported, so that it does not count as tested. */
function leftOutLines(directions: readonly DirectionReport[], colors: Colors): string[] {
  const seen = new Map<string, string[]>();
  for (const { from, generation } of directions)
    if (generation.leftOut.size > 0) seen.set(from, [...generation.leftOut.keys()]);
  return [...seen].flatMap(([version, what]) => [
    colors.yellow(
      `! ${version}: some objects had to do without parts whose rules could not be met, for example`,
    ),
    ...what.slice(0, 3).map((one) => `    ${one}`),
    '',
  ]);
}

function summary(report: TestReport, colors: Colors): string {
  const { proof, samples, seconds } = report;
  const objects = proof.directions.reduce((sum, direction) => sum + direction.objects, 0);
  const broken = proof.failures.length + samples.filter((sample) => !isSampleGood(sample)).length;
  const stash =
    proof.stashAnnotations.length === 0 ? '' : `; stashed in ${proof.stashAnnotations.join(', ')}`;
  const work = `${count(objects, 'object')} in ${seconds.toFixed(1)} s${stash}`;
  return broken === 0
    ? colors.green(`Nothing is lost: ${work}.`)
    : colors.red(`${count(broken, 'finding')}: ${work}.`);
}
