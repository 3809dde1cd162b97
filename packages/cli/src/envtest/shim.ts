// The scripts called kube-apiserver and etcd. They only start Node, in their own place, so that signals reach
// it; --help, which envtest asks before every start, is answered without that.

export interface ShimTarget {
  /** Both as words of a shell script. */
  readonly node: string;
  readonly main: string;
}

export function shimScript(program: 'kube-apiserver' | 'etcd', help: string, target: ShimTarget): string {
  return `#!/bin/sh
if [ "$1" = --help ]; then
  cat <<'END_OF_HELP'
${help.trimEnd()}
END_OF_HELP
  exit 0
fi
exec ${target.node} ${target.main} envtest ${program} "$@"
`;
}

/** A word of a shell script that is taken as it is. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
