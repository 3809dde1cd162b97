// All files of a project, in the order in which a reader meets them.
import type { Project, ProjectFile } from '../project.ts';
import { codeFiles } from './code.ts';
import { deployFiles } from './deploy.ts';
import { readme } from './readme.ts';
import { sampleFiles } from './samples.ts';
import { toolFiles } from './tools.ts';

export function projectFiles(project: Project): ProjectFile[] {
  return [
    readme(project),
    { path: 'crd.yaml', text: project.crdText },
    ...codeFiles(project),
    ...sampleFiles(project),
    ...toolFiles(project),
    ...deployFiles(project),
  ];
}
