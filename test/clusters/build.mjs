// Builds programs of Kubernetes from its Go module, once: they are kept in INSTAR_KUBERNETES_BIN, or in the
// user's cache. The module is a scratch one that requires k8s.io/kubernetes and the modules of the same
// release that it is made of.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const VERSION = '1.36.4';
const COMPONENTS = `v0.${VERSION.slice(2)}`;
const BUILD_TIMEOUT_MS = 3_600_000;
const MAX_OUTPUT_BYTES = 64 << 20;
const execute = promisify(execFile);

/** The path of a program such as kube-controller-manager; building it takes minutes. */
export async function kubernetesProgram(name) {
  const folder =
    process.env.INSTAR_KUBERNETES_BIN ??
    join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'instar', 'kubernetes', VERSION);
  const program = join(folder, name);
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  const scratch = mkdtempSync(join(tmpdir(), 'instar-kubernetes-'));
  try {
    await build(name, scratch, program);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return program;
}

async function build(name, scratch, program) {
  const go = (...args) =>
    execute('go', args, { cwd: scratch, timeout: BUILD_TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES });
  writeFileSync(join(scratch, 'go.mod'), 'module instar.dev/clusters\n\ngo 1.26.0\n');
  const { stdout } = await go('mod', 'download', '-json', `k8s.io/kubernetes@v${VERSION}`);
  const required = readFileSync(join(JSON.parse(stdout).Dir, 'go.mod'), 'utf8');
  for (const [, module] of required.matchAll(/^\s+(k8s\.io\/[a-z0-9-]+) v0\.0\.0$/gm))
    await go('mod', 'edit', '-replace', `${module}=${module}@${COMPONENTS}`);
  await go('mod', 'edit', '-require', `k8s.io/kubernetes@v${VERSION}`);
  const source = `//go:build tools\n\npackage tools\n\nimport _ "k8s.io/kubernetes/cmd/${name}"\n`;
  writeFileSync(join(scratch, 'tools.go'), source);
  await go('mod', 'tidy');
  const [major, minor] = VERSION.split('.');
  const set = Object.entries({ gitVersion: `v${VERSION}`, gitMajor: major, gitMinor: minor })
    .map(([variable, value]) => `-X k8s.io/component-base/version.${variable}=${value}`)
    .join(' ');
  await go('build', '-ldflags', `-s -w ${set}`, '-o', program, `k8s.io/kubernetes/cmd/${name}`);
}
