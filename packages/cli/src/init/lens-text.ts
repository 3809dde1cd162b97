// The text of a new lens: each version is joined to the one after it.
export interface LensParts {
  readonly plural: string;
  readonly group: string;
  readonly versions: readonly string[];
  /** Lines of YAML; undefined: the versions differ in nothing but their name, as far as is known. */
  readonly ops: string | undefined;
}

export function lensText({ plural, group, versions, ops }: LensParts): string {
  const steps = versions.slice(1).map((to, index) => {
    const head = `  - from: ${versions[index]!}\n    to: ${to}`;
    return ops === undefined
      ? `${head}\n    # What differs between the two goes here: rename, move, add, remove, map, split, …\n    ops: []`
      : `${head}\n    ops:\n${ops}`;
  });
  return `apiVersion: instar.dev/v1alpha1
kind: Lens
metadata:
  name: ${plural}
spec:
  crd: ${plural}.${group}
  # Each lens is read in both directions.
  lenses:
${steps.join('\n')}
`;
}
