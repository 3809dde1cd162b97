import { type JsonValue, printYaml } from '@instar/machinery';
import type { Project, ProjectFile } from '../project.ts';

export function sampleFiles({ samples }: Project): ProjectFile[] {
  return samples.flatMap(({ name, objects }) =>
    objects.map((object) => ({
      path: `samples/${name}/${object.apiVersion.slice(object.apiVersion.indexOf('/') + 1)}.yaml`,
      text: printYaml(object as unknown as JsonValue),
    })),
  );
}
