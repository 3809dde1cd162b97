// `instar test` and `instar init` as users run them: against a webhook in Python, and on new projects.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ephemeralPki } from '@instar/serving';
import { temporaryFolder } from '@instar/testing';
import { MAIN, Run } from '@instar/testing/command';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

const here = fileURLToPath(new URL('./proof/', import.meta.url));
const dir = temporaryFolder();

interface JsonReport {
  passed: boolean;
  failures: {
    law: string;
    from: string;
    objects: { spec: object }[];
    violation: { message: string; differences: { path: string }[] };
  }[];
  directions: { objects: number; laws: { law: string; checked: number; notApplicable?: string }[] }[];
  samples: { differences: { path: string }[] }[];
  stashAnnotations: string[];
}

async function instar(
  ...args: readonly string[]
): Promise<{ code: number | NodeJS.Signals; stdout: string; stderr: string }> {
  const run = new Run(...args);
  return { code: await run.ended, stdout: run.stdout, stderr: run.stderr };
}

const NO_PYTHON = spawnSync('python3', ['--version']).status === 0 ? undefined : 'python3 is missing';

describe.skipIf(NO_PYTHON !== undefined)(
  `instar test --url, against a webhook in Python${NO_PYTHON === undefined ? '' : ` (${NO_PYTHON})`}`,
  () => {
    let webhook: ChildProcess;
    let url = '';
    const ca = join(dir, 'ca.pem');

    beforeAll(async () => {
      const { ca: authority, serving } = ephemeralPki(['127.0.0.1', 'localhost']);
      writeFileSync(ca, authority.certificate);
      writeFileSync(join(dir, 'tls.pem'), serving.certificate);
      writeFileSync(join(dir, 'tls.key'), serving.key);
      webhook = spawn('python3', [join(here, 'webhook.py'), join(dir, 'tls.pem'), join(dir, 'tls.key')], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const port = await new Promise<string>((resolve) =>
        webhook.stdout!.once('data', (chunk: Buffer) => resolve(chunk.toString().trim())),
      );
      url = `https://127.0.0.1:${port}/convert`;
    });
    afterAll(() => void webhook.kill());

    const prove = async (
      fault: string,
      ...flags: readonly string[]
    ): Promise<JsonReport & { code: number | NodeJS.Signals }> => {
      const crd = join(here, 'widgets.yaml');
      const { code, stdout, stderr } = await instar(
        'test',
        '--crd',
        crd,
        '--url',
        `${url}${fault}`,
        '--ca-file',
        ca,
        '--runs',
        '100',
        '--seed',
        '7',
        '--format',
        'json',
        ...flags,
      );
      expect(stderr).toBe('');
      return { code, ...(JSON.parse(stdout) as JsonReport) };
    };
    const failure = (report: JsonReport, law: string, from: string) =>
      report.failures.find((one) => one.law === law && one.from === from)!;

    it('finds no fault in one that loses nothing, with reviews of both versions', async () => {
      for (const version of ['v1', 'v1beta1']) {
        const report = await prove('', '--review-version', version);
        expect([report.failures, report.code, report.stashAnnotations]).toEqual([
          [],
          0,
          ['python.example.com/kept'],
        ]);
        expect(report.directions.map(({ objects }) => objects)).toEqual([100, 100]);
        const same = report.directions[0]!.laws.find(({ law }) => law === 'same-version')!;
        expect(same.notApplicable).toContain('it has that version already');
      }
    });

    it.each([
      ['/drop', 'round-trip', 'v1', ['spec.labels'], [{ bar: '', labels: {} }]],
      ['/stale', 'edit', 'v2', ['spec.bar'], [{ bars: ['', ''] }]],
      ['/default', 'round-trip', 'v1', ['spec.legacy'], [{ bar: '' }]],
      ['/order', 'order', 'v1', undefined, [{ bar: '' }, { bar: '' }]],
    ] as const)('finds the fault of %s, with a minimal example', async (fault, law, from, paths, specs) => {
      const report = await prove(fault);
      const found = failure(report, law, from);
      if (paths !== undefined) expect(found.violation.differences.map(({ path }) => path)).toEqual(paths);
      expect(found.objects.map(({ spec }) => spec)).toEqual(specs);
      expect([report.code, report.passed]).toEqual([1, false]);
    });

    it('trusts no unknown certificate unless a flag says so', async () => {
      const args = ['test', '--crd', join(here, 'widgets.yaml'), '--url', url, '--runs', '5'];
      const strict = await instar(...args);
      expect([strict.code, strict.stderr]).toEqual([
        2,
        expect.stringMatching(/is unreachable: unable to verify .*--insecure/),
      ]);
      expect((await instar(...args, '--insecure')).code).toBe(0);
    });
  },
);

describe('instar test', () => {
  const crd = join(here, 'widgets.yaml');

  it('reports samples that differ, as text or JUnit', async () => {
    const [module, samples, report] = [
      join(dir, 'relabel.mjs'),
      join(dir, 'samples'),
      join(dir, 'report.xml'),
    ];
    writeFileSync(module, "export const convert = { 'v1->v2': (o) => o, 'v2->v1': (o) => o };\n");
    mkdirSync(samples);
    for (const [version, spec] of [
      ['v1', '{ bar: x }'],
      ['v2', '{ bars: [x], mode: Fast }'],
    ] as const)
      writeFileSync(
        join(samples, `${version}.yaml`),
        `apiVersion: example.com/${version}\nkind: Widget\nmetadata: { name: a }\nspec: ${spec}\n`,
      );
    const args = ['test', '--crd', crd, '--module', module, '--samples', samples, '--runs', '20'];
    const { code, stdout } = await instar(...args);
    expect(code).toBe(1);
    expect(stdout).toContain(
      '✗ sample samples: v1 converted to v2 is not the sample in v2\n    spec.bars\n    - expected ["x"]\n    + got      nothing\n',
    );
    await instar(...args, '--format', 'junit', '--output', report);
    const xml = readFileSync(report, 'utf8');
    expect(xml).toContain('<testsuite name="widgets.example.com v1 → v2" tests="9" failures="');
    expect(xml).toContain('<testcase name="samples: v1 → v2"><failure message="the samples do not agree">');
  });
});

describe('instar init', () => {
  /** As after `npm install`, without a registry. */
  const install = (project: string): void => {
    mkdirSync(join(project, 'node_modules', '.bin'), { recursive: true });
    symlinkSync(MAIN, join(project, 'node_modules', '.bin', 'instar'));
  };
  const npmTest = (project: string, ...flags: readonly string[]) =>
    spawnSync('npm', ['test', '--silent', '--', '--runs', '100', ...flags], {
      cwd: project,
      encoding: 'utf8',
    });

  it.each([
    ['lens', []],
    ['functions', ['--kind', 'CronBox', '--group', 'stable.example.org']],
    ['lens', ['--crd', join(here, 'one-version.yaml')]],
    ['functions', ['--crd', join(here, 'one-version.yaml')]],
  ] as const)(
    'creates a project with %s and %j whose own test passes, and does not change it again',
    { timeout: 60_000 },
    async (style, flags) => {
      const project = temporaryFolder(onTestFinished);
      const made = await instar('init', project, '--style', style, ...flags);
      expect([made.code, made.stderr]).toEqual([0, '']);
      install(project);
      const { status, stdout, stderr } = npmTest(project);
      expect([status, stdout, stderr]).toEqual([0, expect.stringContaining('Nothing is lost: '), '']);
      const before = readFileSync(join(project, 'crd.yaml'), 'utf8');
      const again = await instar('init', project, '--style', style, ...flags);
      expect([again.code, again.stderr]).toEqual([
        2,
        expect.stringContaining('nothing was written, since these exist: README.md'),
      ]);
      expect(readFileSync(join(project, 'crd.yaml'), 'utf8')).toBe(before);
    },
  );

  it.each(['lens', 'functions'])(
    'creates a project with %s whose webhook passes the same test over HTTPS',
    { timeout: 60_000 },
    async (style) => {
      const project = temporaryFolder(onTestFinished);
      await instar('init', project, '--style', style);
      install(project);
      const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
        scripts: { start: string };
      };
      const [, ...args] = scripts.start.split(' ');
      const server = spawn(process.execPath, [MAIN, ...args, '--port', '0', '--log-level', 'error'], {
        cwd: project,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      try {
        const line = await new Promise<string>((resolve) =>
          server.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString())),
        );
        const url = `${/^ready (\S+) \/convert$/m.exec(line)![1]!}/convert`;
        const { code, stdout } = await instar(
          'test',
          '--crd',
          join(project, 'crd.yaml'),
          '--url',
          url,
          '--insecure',
          '--samples',
          join(project, 'samples'),
          '--runs',
          '100',
        );
        expect([code, stdout]).toEqual([0, expect.stringContaining('Nothing is lost: ')]);
      } finally {
        server.kill();
      }
    },
  );
});
