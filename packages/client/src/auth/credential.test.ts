import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { REAL_CLOCK } from '@instar/serving';
import { FakeClock, temporaryFolder } from '@instar/testing';
import { describe, expect, it } from 'vitest';
import type { ExecAccess } from '../kubeconfig/cluster-access.ts';
import { ExecCredential } from './exec-credential.ts';
import { impersonationHeaders } from './impersonation-headers.ts';
import { PluginError, runPlugin } from './run-plugin.ts';
import { TokenFile } from './token-file.ts';

const folder = temporaryFolder();

const exec = (command: string, more: Partial<ExecAccess> = {}): ExecAccess => ({
  apiVersion: 'client.authentication.k8s.io/v1',
  command,
  args: [],
  env: {},
  installHint: '',
  interactiveMode: 'Never',
  ...more,
});

/** A plugin as a shell script; every run appends a line to `runs`. */
async function plugin(
  name: string,
  body: string,
): Promise<{ exec: ExecAccess; runs: () => Promise<number> }> {
  const [command, log] = [join(folder, name), join(folder, `${name}.runs`)];
  await writeFile(command, `#!/bin/sh\necho run >> ${log}\n${body}\n`);
  await chmod(command, 0o755);
  return { exec: exec(command), runs: async () => (await readFile(log, 'utf8')).split('\n').length - 1 };
}

const printed = (status: object): string =>
  `echo '${JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status })}'`;

describe('a token file', () => {
  it('is read again after a minute or a 401', async () => {
    const file = join(folder, 'token');
    const clock = new FakeClock();
    const credential = new TokenFile(file, clock);
    await expect(credential.authorization()).rejects.toThrow('ENOENT');
    await writeFile(file, 'one\n');
    expect(await credential.authorization()).toBe('Bearer one');
    await writeFile(file, 'two');
    await clock.pass(59_999);
    expect(await credential.authorization()).toBe('Bearer one');
    await clock.pass(1);
    expect(await credential.authorization()).toBe('Bearer two');
    await writeFile(file, 'three');
    expect(credential.expire()).toBe(true);
    expect(await credential.authorization()).toBe('Bearer three');
    await rm(file);
    await clock.pass(60_000);
    expect(await credential.authorization()).toBe('Bearer three');
  });
});

describe('a credential plugin', () => {
  it('is run once until its credential expires or is refused', async () => {
    const clock = new FakeClock(Date.UTC(2030, 0, 1));
    const { exec, runs } = await plugin(
      'expiring',
      printed({ token: 't', expirationTimestamp: '2030-01-01T01:00:00Z' }),
    );
    const credential = new ExecCredential(exec, clock);
    expect(await Promise.all([credential.authorization(), credential.authorization()])).toEqual([
      'Bearer t',
      'Bearer t',
    ]);
    await clock.pass(3_599_999);
    await credential.authorization();
    expect(await runs()).toBe(1);
    credential.expire();
    await credential.authorization();
    expect(await runs()).toBe(2);
    await clock.pass(1);
    await Promise.all([credential.authorization(), credential.clientCertificate()]);
    expect(await runs()).toBe(3);
  });

  it('gets the cluster info and may return a client certificate', async () => {
    const { exec } = await plugin(
      'told',
      `echo "$KUBERNETES_EXEC_INFO" > ${join(folder, 'info')}\n${printed({ clientCertificateData: 'C', clientKeyData: 'K' })}`,
    );
    const credential = new ExecCredential({ ...exec, cluster: { server: 'https://h' } }, REAL_CLOCK);
    expect(await credential.clientCertificate()).toEqual({ certificate: 'C', key: 'K' });
    expect(await credential.authorization()).toBeUndefined();
    expect(JSON.parse(await readFile(join(folder, 'info'), 'utf8'))).toEqual({
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      spec: { interactive: false, cluster: { server: 'https://h' } },
    });
  });

  it.each([
    ['prints nothing', 'true', 'printed no credential'],
    [
      'prints something else',
      'echo \'{"kind":"Pod","apiVersion":"v1"}\'',
      'it is v1 Pod, not client.authentication.k8s.io/v1 ExecCredential',
    ],
    ['gives nothing', printed({}), 'neither a token nor a client certificate'],
    ['forgets the key', printed({ clientCertificateData: 'C' }), 'must come together'],
    ['has a bad time', printed({ token: 't', expirationTimestamp: 'soon' }), 'parsing time "soon"'],
    ['fails', 'echo "not logged in" >&2; exit 3', 'ended with 3: not logged in'],
    [
      'prints too much',
      'while true; do echo 0123456789012345678901234567890123456789; done',
      'printed more than 1048576 bytes',
    ],
  ])('that %s is an error', async (name, body, message) => {
    const { exec } = await plugin(name.replaceAll(' ', '-'), body);
    const credential = new ExecCredential(exec, REAL_CLOCK);
    await expect(credential.authorization()).rejects.toThrow(message);
    await expect(credential.authorization()).rejects.toBeInstanceOf(PluginError);
  });

  it('that never ends is killed', async () => {
    const { exec } = await plugin('endless', 'sleep 60 & wait');
    await expect(runPlugin(exec, 50)).rejects.toThrow('did not end in 50 ms');
  });

  it('that is not installed fails with its install hint', async () => {
    await expect(
      runPlugin(exec('no-such-plugin-anywhere', { installHint: 'Install it from X.' })),
    ).rejects.toThrow('it is not installed\nInstall it from X.');
  });

  it('that requires a terminal is not started without one', async () => {
    await expect(runPlugin(exec('true', { interactiveMode: 'Always' }))).rejects.toThrow(
      'requires a terminal',
    );
  });
});

it('impersonation is sent in headers', () => {
  expect(
    impersonationHeaders({ user: 'u', uid: '1', groups: ['a', 'b'], extra: { 'Scopes/x': ['v'] } }),
  ).toEqual([
    'impersonate-user',
    'u',
    'impersonate-uid',
    '1',
    'impersonate-group',
    'a',
    'impersonate-group',
    'b',
    'impersonate-extra-scopes%2Fx',
    'v',
  ]);
});
