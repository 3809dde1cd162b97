// From answers to a project: its definition, its conversion and its samples.
import type { CustomResourceDefinition } from '@instar/crd';
import { parseLens, printSuggestions, suggest } from '@instar/lens';
import type { SampleCase } from '@instar/lens/proof';
import {
  asKubeObject,
  compareKubeAwareVersions,
  type JsonObject,
  type JsonValue,
  parseYaml,
  printYaml,
} from '@instar/machinery';
import { proofVersionsOf, readDefinition } from '../test/load-definition.ts';
import { readText } from '../test/read-yaml.ts';
import type { Answers, InitFlags } from './answers.ts';
import { EXAMPLE_FUNCTIONS, exampleDefinition, exampleLens, exampleSamples } from './example.ts';
import { generatedSamples } from './generated-samples.ts';
import { addNextVersion } from './next-version.ts';
import type { Project } from './project.ts';

export interface MadeProject {
  readonly project: Project;
  readonly notes: readonly string[];
}

/** What the conversion starts from: the example, or a definition of the user. */
interface Start {
  readonly crd: CustomResourceDefinition;
  readonly crdText: string;
  readonly isExample: boolean;
  readonly notes: readonly string[];
}

export async function makeProject(answers: Answers, flags: InitFlags): Promise<MadeProject> {
  const { crd, crdText, isExample, notes } =
    answers.crd === undefined ? example(answers) : await given(answers.crd, flags.name);
  const { group, names } = crd.spec;
  const versions = oldestFirst(crd);
  const lens = isExample ? exampleLens(group, names.kind) : suggestedLens(crd, versions);
  const samples = isExample ? casesOf(exampleSamples(group, names.kind)) : await samplesFor(crd, lens);
  const name = `${names.plural}-conversion`;
  const project: Project = {
    name,
    style: answers.style,
    image: flags.image ?? `registry.example.com/${name}:latest`,
    crdText,
    group,
    kind: names.kind,
    plural: names.plural,
    versions,
    lens,
    functions: isExample ? EXAMPLE_FUNCTIONS : undefined,
    samples,
  };
  const isDoubtful = !isExample && answers.style === 'lens' && lens.includes('# unsure');
  const doubts = isDoubtful
    ? ['the lens was guessed from the schemas: check what is marked unsure, and run the test']
    : [];
  const lacking =
    samples.length === 0
      ? ['no sample could be made that converts without loss yet: add your own to samples/']
      : [];
  return { project, notes: [...notes, ...doubts, ...lacking] };
}

function example({ group, kind }: Answers): Start {
  const crdText = exampleDefinition(group, kind);
  return {
    crd: parseYaml(crdText).value as unknown as CustomResourceDefinition,
    crdText,
    isExample: true,
    notes: [],
  };
}

/** A file with a single definition is used as it is, comments and all. */
async function given(file: string, name: string | undefined): Promise<Start> {
  const crd = await readDefinition(file, name);
  const added = addNextVersion(crd);
  const text = await readText(file);
  const isAlone = added === undefined && name === undefined && !text.includes('\n---');
  const notes =
    added === undefined
      ? []
      : [`${crd.metadata.name} had one version: ${added} was added as a copy of it, for you to change`];
  return { crd, crdText: isAlone ? text : printYaml(crd as unknown as JsonValue), isExample: false, notes };
}

const oldestFirst = ({ spec }: CustomResourceDefinition): string[] =>
  spec.versions.map(({ name }) => name).sort((a, b) => compareKubeAwareVersions(b, a));

/** Each version is joined to the next newer one; what is unsure is marked. */
function suggestedLens({ spec }: CustomResourceDefinition, versions: readonly string[]): string {
  const schemaOf = (name: string) =>
    spec.versions.find((version) => version.name === name)?.schema?.openAPIV3Schema ?? {};
  const steps = versions.slice(1).map((to, index) => {
    const from = versions[index]!;
    return { from, to, suggestions: suggest(schemaOf(from), schemaOf(to)) };
  });
  return printSuggestions(`${spec.names.plural}.${spec.group}`, steps);
}

async function samplesFor(crd: CustomResourceDefinition, text: string): Promise<readonly SampleCase[]> {
  const { lens } = parseLens(parseYaml(text).value);
  const versions = proofVersionsOf(crd);
  return lens === undefined || versions.length !== crd.spec.versions.length
    ? []
    : generatedSamples(versions, lens);
}

const casesOf = (objects: Record<string, JsonObject[]>): SampleCase[] =>
  Object.entries(objects).map(([name, list]) => ({ name, objects: list.map(asKubeObject) }));
