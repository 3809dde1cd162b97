// The conversion itself. Nothing else is needed: `instar webhook serve` runs it.
import type { Project, ProjectFile } from '../project.ts';

export function codeFiles(project: Project): ProjectFile[] {
  if (project.style === 'lens') return [{ path: 'lens.yaml', text: project.lens }];
  return [{ path: 'conversion.mjs', text: functionsText(project) }];
}

function functionsText({ kind, group, versions, functions }: Project): string {
  const plain = versions
    .slice(1)
    .flatMap((to, index) => [`${versions[index]!}→${to}`, `${to}→${versions[index]!}`])
    .map((ends) => `    '${ends}': (object) => ({ ...object }),`)
    .join('\n');
  return `// How a ${kind} gets from one version to another. Functions get an object and return another one; apiVersion is set for them.
export default {
  group: '${group}',
  kind: '${kind}',
  convert: {
${functions ?? plain}
  },
};
`;
}
