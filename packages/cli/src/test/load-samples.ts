// Samples: v1.yaml, v2.yaml, … in a folder are one object in several versions; a folder below it is another
// case.
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { SampleCase } from '@instar/lens/proof';
import { asKubeObject, type KubeObject } from '@instar/machinery';
import { CommandFailure } from '../exit-with-message.ts';
import type { Definition } from './load-definition.ts';
import { readObjects } from './read-yaml.ts';

const SAMPLE = /\.(ya?ml|json)$/;

export async function loadSamples(dir: string, definition: Definition): Promise<SampleCase[]> {
  const entries = await readdir(dir, { withFileTypes: true }).catch(() => {
    throw new CommandFailure(`${dir} is not a folder with samples`, 2);
  });
  const own = await caseOf(dir, basename(dir), definition);
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const below = await Promise.all(folders.sort().map((name) => caseOf(join(dir, name), name, definition)));
  const cases = [own, ...below].filter(({ objects }) => objects.length > 0);
  const lonely = cases.filter(({ objects }) => objects.length < 2).map(({ name }) => name);
  if (lonely.length > 0)
    throw new CommandFailure(
      `samples ${lonely.join(', ')}: a single version has nothing to be compared with`,
      2,
    );
  if (cases.length === 0)
    throw new CommandFailure(
      `${dir} has no samples of ${definition.kind}: v1.yaml, v2.yaml, or folders of these`,
      2,
    );
  return cases;
}

async function caseOf(dir: string, name: string, definition: Definition): Promise<SampleCase> {
  const files = (await readdir(dir)).filter((file) => SAMPLE.test(file)).sort();
  const objects = (await Promise.all(files.map((file) => readObjects(join(dir, file)))))
    .flat()
    .map(asKubeObject);
  return { name, objects: objects.filter((object) => isOf(object, definition)).map(withMetadata) };
}

const isOf = ({ apiVersion, kind }: KubeObject, { versions }: Definition): boolean =>
  versions.some((version) => version.apiVersion === apiVersion && version.kind === kind);

const withMetadata = (object: KubeObject): KubeObject => ({ ...object, metadata: object.metadata ?? {} });
