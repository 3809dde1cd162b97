// The report for people.
import { type DirectionReport, describeEdit, type Failure, type SampleReport } from '@instar/lens/proof';
import { type JsonValue, printYaml } from '@instar/machinery';
import { type Colours, coloursFor } from './colours.ts';
import { differenceLines } from './difference-lines.ts';
import { isSampleGood, type TestReport } from './report.ts';

export function textReport(report: TestReport, options: { readonly colours: boolean }): string {
  const colours = coloursFor(options.colours);
  const { definition, proof, samples, target } = report;
  const versions = definition.versions.map(({ name }) => name).join(', ');
  const width = Math.max(
    'samples'.length,
    ...proof.directions.map(({ from, to }) => `${from} → ${to}`.length),
  );
  const lines = [
    `${colours.bold(definition.name)} (${versions}) by ${target}, seed ${proof.seed}`,
    '',
    ...sampleLines(samples, width, colours),
    ...proof.directions.flatMap((direction) => directionLines(direction, width, colours)),
    '',
    ...samples.filter((sample) => !isSampleGood(sample)).flatMap((sample) => badSample(sample, colours)),
    ...proof.failures.flatMap((failure) => failureLines(failure, colours)),
    ...leftOutLines(proof.directions, colours),
    summary(report, colours),
  ];
  return `${lines.join('\n')}\n`;
}

const count = (value: number, word: string): string =>
  `${value.toLocaleString('en')} ${word}${value === 1 ? '' : 's'}`;

function sampleLines(samples: readonly SampleReport[], width: number, colours: Colours): string[] {
  if (samples.length === 0) return [];
  const bad = samples.filter((sample) => !isSampleGood(sample)).length;
  const outcome =
    bad === 0 ? colours.green('✓ all agree') : colours.red(`✗ ${bad} ${bad === 1 ? 'does' : 'do'} not agree`);
  return [`  ${'samples'.padEnd(width)} ${count(samples.length, 'conversion')}  ${outcome}`];
}

function directionLines(
  { from, to, objects, laws, generationFailure }: DirectionReport,
  width: number,
  colours: Colours,
): string[] {
  const broken = laws.filter((law) => law.broken).map(({ law }) => law);
  const edits = laws.find(({ law }) => law === 'edit')?.checked;
  const asked = laws.filter(({ notApplicable }) => notApplicable === undefined).length;
  const outcome =
    broken.length === 0
      ? colours.green(asked === 1 ? '✓ 1 law holds' : `✓ ${asked} laws hold`)
      : colours.red(`✗ broken: ${broken.join(', ')}`);
  const notes = laws.flatMap(({ law, notApplicable }) =>
    notApplicable === undefined ? [] : [colours.dim(`      ${law} was not asked: ${notApplicable}`)],
  );
  const failed = generationFailure === undefined ? [] : [colours.red(`      ${generationFailure}`)];
  return [
    `  ${`${from} → ${to}`.padEnd(width)} ${count(objects, 'object')}${edits === undefined ? '' : `, ${count(edits, 'edit')}`}  ${outcome}`,
    ...notes,
    ...failed,
  ];
}

function badSample({ name, from, to, failure, differences }: SampleReport, colours: Colours): string[] {
  return [
    colours.red(`✗ sample ${name}: ${from} converted to ${to} is not the sample in ${to}`),
    ...(failure === undefined ? [] : [`    ${failure}`]),
    ...differenceLines(differences, '    ', colours),
    '',
  ];
}

function failureLines(
  { law, title, from, to, objects, shrinkSteps, violation, seed }: Failure,
  colours: Colours,
): string[] {
  const { message, differences, edit, shown = [] } = violation;
  return [
    colours.red(`✗ ${law}, ${from} → ${to}. The law: ${title}.`),
    `    ${message}`,
    ...differenceLines(differences, '    ', colours),
    colours.dim(
      `  the smallest ${objects.length === 1 ? 'object' : 'objects'} found for it, after ${count(shrinkSteps, 'step')}:`,
    ),
    ...objects.flatMap((object) => yamlLines(object as unknown as JsonValue)),
    ...(edit === undefined ? [] : [colours.dim(`  the change: ${describeEdit(edit)}`)]),
    ...shown.flatMap(({ title: what, object }) => [colours.dim(`  ${what}:`), ...yamlLines(object)]),
    colours.dim(`  --seed ${seed} repeats this.`),
    '',
  ];
}

const yamlLines = (value: JsonValue): string[] => [
  ...printYaml(value)
    .trimEnd()
    .split('\n')
    .map((line) => `    ${line}`),
];

/** What the generator could not reach is said, so that nobody takes it for tested. */
function leftOutLines(directions: readonly DirectionReport[], colours: Colours): string[] {
  const seen = new Map<string, string[]>();
  for (const { from, generation } of directions)
    if (generation.leftOut.size > 0) seen.set(from, [...generation.leftOut.keys()]);
  return [...seen].flatMap(([version, what]) => [
    colours.yellow(
      `! ${version}: some objects had to do without parts whose rules could not be met, for example`,
    ),
    ...what.slice(0, 3).map((one) => `    ${one}`),
    '',
  ]);
}

function summary(report: TestReport, colours: Colours): string {
  const { proof, samples, seconds } = report;
  const objects = proof.directions.reduce((sum, direction) => sum + direction.objects, 0);
  const broken = proof.failures.length + samples.filter((sample) => !isSampleGood(sample)).length;
  const stash =
    proof.stashAnnotations.length === 0 ? '' : `; kept aside in ${proof.stashAnnotations.join(', ')}`;
  const work = `${count(objects, 'object')} in ${seconds.toFixed(1)} s${stash}`;
  return broken === 0
    ? colours.green(`Nothing is lost: ${work}.`)
    : colours.red(`${count(broken, 'finding')}: ${work}.`);
}
