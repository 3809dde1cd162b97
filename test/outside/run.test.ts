// The runner on suites made here; the real ones take minutes and run in CI.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@instar/testing';
import { describe, expect, it } from 'vitest';

const RUNNER = fileURLToPath(new URL('run.mjs', import.meta.url));
const temporary = temporaryFolder();

interface Suite {
  readonly needs?: readonly string[];
  readonly isOptional?: boolean;
  readonly onlyByName?: boolean;
  readonly inPartUnlessNamed?: boolean;
  readonly specs: readonly { name: string; status: string; message?: string }[];
  readonly expected?: Readonly<Record<string, string>>;
}

let count = 0;
function run(
  { needs = [], specs, expected, ...how }: Suite,
  ci = '',
): { status: number | null; stdout: string } {
  const folder = join(temporary, String(count++));
  mkdirSync(join(folder, 'suites'), { recursive: true });
  mkdirSync(join(folder, 'expected'));
  const about = JSON.stringify({ name: 'sample', needs, ...how });
  const suite = `{ ...${about}, run: () => ${JSON.stringify(specs)} }`;
  writeFileSync(join(folder, 'suites', 'sample.mjs'), `export default ${suite};\n`);
  if (expected) writeFileSync(join(folder, 'expected', 'sample.json'), JSON.stringify(expected));
  const { status, stdout } = spawnSync(process.execPath, [RUNNER, '--folder', folder], {
    env: { ...process.env, CI: ci },
    encoding: 'utf8',
  });
  return { status, stdout };
}

const green = { name: 'is green', status: 'passed' };
const red = { name: 'is red', status: 'failed', message: 'the reason' };

describe('the runner of outside suites', () => {
  it('does not run a suite that takes long unless it is named', () => {
    const { status, stdout } = run({ specs: [red], onlyByName: true });
    expect(stdout).toContain('sample: not run');
    expect(status).toBe(0);
  });

  it('allows an optional suite to be skipped in CI', () => {
    const { status, stdout } = run({ needs: ['no-such-program'], specs: [], isOptional: true }, 'true');
    expect(stdout).toContain('sample: skipped: there is no no-such-program on PATH');
    expect(status).toBe(0);
  });

  it('succeeds if every spec passes', () => {
    const { status, stdout } = run({ specs: [green] });
    expect(stdout).toContain('sample: 1 passed, 0 failed, 0 skipped');
    expect(status).toBe(0);
  });

  it('fails if a spec that is not listed is red', () => {
    const { status, stdout } = run({ specs: [green, red] });
    expect(stdout).toContain('failed: is red: the reason');
    expect(status).toBe(1);
  });

  it('succeeds if every red spec is listed with a reason', () => {
    expect(run({ specs: [green, red], expected: { 'is red': 'not supported' } }).status).toBe(0);
  });

  it('fails if a listed spec passes', () => {
    const { status, stdout } = run({ specs: [green], expected: { 'is green': 'not supported' } });
    expect(stdout).toContain('passed, but is listed as expected not to: is green');
    expect(status).toBe(1);
  });

  it('fails if a listed spec does not run', () => {
    expect(run({ specs: [green], expected: { 'is removed': 'not supported' } }).status).toBe(1);
  });

  it('allows a listed spec not to run where a suite runs in part', () => {
    const expected = { 'is elsewhere': 'not supported' };
    expect(run({ specs: [green], expected, inPartUnlessNamed: true }).status).toBe(0);
  });

  it('fails if no spec runs', () => {
    expect(run({ specs: [] }).status).toBe(1);
  });

  it('skips a suite whose program is missing, with the reason', () => {
    const { status, stdout } = run({ specs: [red], needs: ['no-such-program'] });
    expect(stdout).toBe('sample: skipped: there is no no-such-program on PATH\n');
    expect(status).toBe(0);
  });

  it('fails in CI if a program is missing', () => {
    expect(run({ specs: [green], needs: ['no-such-program'] }, 'true').status).toBe(1);
  });
});
