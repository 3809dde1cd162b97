// The command as a function: its sources, its formats, its exit codes. The rules are tested where they are.

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { openKubeClient } from '@instar/client';
import { type JsonObject, printYaml } from '@instar/machinery';
import { eventually, temporaryFolder } from '@instar/testing';
import { EmbeddedApi } from '@instar/testing/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tarOf } from '../envtest/tar.ts';
import type { CheckFlags } from './flags.ts';
import { formatReport } from './formats/index.ts';
import { newBaseline, runCheck } from './run-check.ts';
import { readGit } from './sources/git.ts';

const FLAGS: CheckFlags = { format: 'text', generate: 10, servedVersions: true, color: false };
const NOW = Date.parse('2030-01-01T00:00:00Z');

function widgets(versions: Record<string, Record<string, object>>, plural = 'widgets'): JsonObject {
  const names = Object.keys(versions);
  const version = (name: string) => ({
    name,
    served: true,
    storage: name === names.at(-1),
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: { spec: { type: 'object', properties: versions[name]! } },
      },
    },
  });
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.foomake.io` },
    spec: {
      group: 'foomake.io',
      scope: 'Namespaced',
      names: { plural, kind: plural === 'widgets' ? 'Widget' : 'Gadget' },
      versions: names.map(version) as never,
    },
  };
}

const TEXT = { type: 'string' };
const folder = temporaryFolder();
const file = (name: string, ...objects: JsonObject[]): string => {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, objects.map(printYaml).join('---\n'));
  return path;
};
const text = (name: string, content: string): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

describe('instar check', () => {
  it('compares two files and fails on what breaks', async () => {
    const report = await runCheck(
      file('a.yaml', widgets({ v1: { a: TEXT, b: TEXT } })),
      file('b.yaml', widgets({ v1: { a: TEXT } })),
      FLAGS,
      NOW,
    );
    expect(report).toMatchObject({ verdict: 'breaking', failed: true, semver: { bump: 'minor' } });
    expect(formatReport(report, FLAGS)).toMatchInlineSnapshot(`
      "verdict: breaking
      semver: a minor version; widgets.foomake.io v1 needs a new version, such as v2alpha1
      1 definition, 1 change: 1 breaking, 0 unsure, 0 caution, 0 safe

      Within a version, where it hurts today's clients
        breaking Widget v1 spec.b  field removed [field-removed]
            Breaks writers, readers, stored objects. Keep the field in this version, document in its description that it is deprecated, and leave it out of a new version whose conversion preserves the value.
      "
    `);
  });

  it('pairs the definitions of two folders by name', async () => {
    file('old/x.yaml', widgets({ v1: {} }), widgets({ v1: {} }, 'gadgets'));
    file('new/deep/y.yaml', widgets({ v1: { a: TEXT } }));
    const report = await runCheck(join(folder, 'old'), join(folder, 'new'), FLAGS, NOW);
    expect(report.definitions.map(({ crd, verdict, semver }) => [crd, verdict, semver.bump])).toEqual([
      ['gadgets.foomake.io', 'breaking', 'major'],
      ['widgets.foomake.io', 'compatible', 'patch'],
    ]);
  });

  it('skips files that are not YAML with a warning', async () => {
    file('before/x.yaml', widgets({ v1: {} }));
    file('after/x.yaml', widgets({ v1: {} }));
    writeFileSync(join(folder, 'after/template.yaml'), '{{ if .Values }}\na: [');
    const report = await runCheck(join(folder, 'before'), join(folder, 'after'), FLAGS, NOW);
    expect(report.definitions.map(({ crd }) => crd)).toEqual(['widgets.foomake.io']);
    expect(report.warnings).toHaveLength(1);
  });

  it('skips a patch for kustomize, which is no definition of its own', async () => {
    const base = widgets({ v1: { a: TEXT } });
    file('base/crd.yaml', base);
    file('overlay/crd.yaml', base);
    const conversion = { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'] } };
    file('overlay/patches/webhook.yaml', { ...base, spec: { conversion } });
    const report = await runCheck(join(folder, 'base'), join(folder, 'overlay'), FLAGS, NOW);
    expect(report.verdict).toBe('compatible');
    expect(report.warnings).toEqual([
      expect.stringMatching(/webhook.yaml was skipped: it is a patch for kustomize/),
    ]);
  });

  it('says that a template of Helm must be rendered', async () => {
    const template = text('template.yaml', 'metadata:\n  labels: {{- include "labels" . }}\n');
    await expect(runCheck(template, template, FLAGS, NOW)).rejects.toThrow(
      /is a Helm template: render the chart/,
    );
  });

  it('reads the files of an archive', async () => {
    const content = printYaml(widgets({ v1: { a: TEXT } }));
    const archive = tarOf([{ name: 'chart/crds/widgets.yaml', mode: 0o644, bytes: Buffer.from(content) }]);
    writeFileSync(join(folder, 'release.tgz'), gzipSync(archive));
    const report = await runCheck(
      join(folder, 'release.tgz'),
      file('plain.yaml', widgets({ v1: {} })),
      FLAGS,
      NOW,
    );
    expect(report.definitions.map(({ verdict }) => verdict)).toEqual(['breaking']);
  });

  it('leaves to a webhook, which no file names, what versions cannot hold', async () => {
    const old = file('one.yaml', widgets({ v1beta1: { a: TEXT } }));
    const next = file('two.yaml', widgets({ v1beta1: { a: TEXT }, v1: {} }));
    const verdictOf = async (flags: Partial<CheckFlags>) =>
      (await runCheck(old, next, { ...FLAGS, generate: 0, ...flags }, NOW)).verdict;
    expect(await verdictOf({})).toBe('breaking');
    expect(await verdictOf({ convertedByWebhook: ['widgets.foomake.io'] })).toBe('caution');
  });

  it('takes enums as open that the project declares so', async () => {
    const sides = [['a'], ['a', 'b']].map((values, i) =>
      file(`enum${i}.yaml`, widgets({ v1: { a: { ...TEXT, enum: values } } })),
    ) as [string, string];
    const exceptions = text('open.yaml', 'openEnums: [spec.a]\n');
    expect((await runCheck(...sides, FLAGS, NOW)).verdict).toBe('caution');
    expect((await runCheck(...sides, { ...FLAGS, exceptions }, NOW)).verdict).toBe('compatible');
  });

  it('prints a change at many paths once', async () => {
    const names = Array.from({ length: 40 }, (_, i) => `f${i}`);
    const shape = (limit: number) =>
      Object.fromEntries(
        names.map((name) => [
          name,
          { type: 'object', properties: { size: { type: 'string', maxLength: limit } } },
        ]),
      );
    const sides = [9, 3].map((limit, i) => file(`many${i}.yaml`, widgets({ v1: shape(limit) }))) as [
      string,
      string,
    ];
    const report = await runCheck(...sides, { ...FLAGS, generate: 0 }, NOW);
    const printed = formatReport(report, FLAGS);
    expect(printed).toContain(
      'at 40 places: Widget v1 spec.f0.size; spec.f1.size; spec.f2.size; and 37 more',
    );
    expect(printed.split('\n').length).toBeLessThan(12);
    expect(formatReport(report, { ...FLAGS, all: true })).toContain('Widget v1 spec.f39.size');
  });

  it('reads a revision of a git repository', async () => {
    const repository = join(folder, 'repository');
    mkdirSync(join(repository, 'crds'), { recursive: true });
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
        cwd: repository,
      });
    git('init', '-q');
    file('repository/crds/widgets.yaml', widgets({ v1: {} }));
    git('add', '.');
    git('commit', '-qm', 'first');
    file('repository/crds/widgets.yaml', widgets({ v1: { a: TEXT } }));
    const [read] = await readGit('HEAD', 'crds', repository);
    expect(read).toEqual({ file: 'crds/widgets.yaml', text: printYaml(widgets({ v1: {} })) });
    await expect(readGit('nowhere', 'crds', repository)).rejects.toThrow(/^git: /);
    await expect(readGit('HEAD', 'nothing', repository)).rejects.toThrow('there is no nothing in HEAD');
  });

  it('names the file that cannot be read', async () => {
    await expect(runCheck(join(folder, 'nothing.yaml'), folder, FLAGS, NOW)).rejects.toThrow(
      /nothing.yaml does not exist/,
    );
    await expect(runCheck(text('bad.yaml', 'a: ['), folder, FLAGS, NOW)).rejects.toThrow(/bad.yaml: /);
  });

  describe('what counts', () => {
    const sides = () =>
      [file('c.yaml', widgets({ v1: { a: TEXT } })), file('d.yaml', widgets({ v1: {} }))] as const;
    const run = (flags: Partial<CheckFlags>) =>
      runCheck(...sides(), { ...FLAGS, generate: 0, ...flags }, NOW);

    it('is what exceptions and baselines leave', async () => {
      expect((await run({})).failed).toBe(true);
      const exceptions = text(
        'exceptions.yaml',
        'exceptions:\n- rule: field-removed\n  path: spec.a\n  reason: it was never released\n',
      );
      expect(await run({ exceptions })).toMatchObject({ failed: false, verdict: 'compatible' });
      const expired = text(
        'expired.yaml',
        'exceptions:\n- rule: field-removed\n  reason: for now\n  expires: "2029-12-31"\n',
      );
      expect(await run({ exceptions: expired })).toMatchObject({
        failed: true,
        expiredExceptions: [{ reason: 'for now' }],
      });
      const baseline = text('baseline.json', JSON.stringify({ findings: newBaseline(await run({})) }));
      expect((await run({ baseline })).failed).toBe(false);
      await expect(run({ exceptions: text('wrong.yaml', 'exceptions:\n- rule: x\n') })).rejects.toThrow(
        /there is no rule x; .*reason: required/,
      );
    });

    it('is measured by --fail-on and --expect', async () => {
      expect((await run({ failOn: 'never' })).failed).toBe(false);
      expect(await run({ expect: 'patch' })).toMatchObject({ failed: true, asExpected: false });
      expect(await run({ expect: 'minor' })).toMatchObject({ failed: false, asExpected: true });
      expect(await run({ expect: 'minor', failOn: 'breaking' })).toMatchObject({
        failed: true,
        asExpected: true,
      });
    });
  });

  it('prints every format', async () => {
    const report = await runCheck(
      file('e.yaml', widgets({ v1: { a: TEXT } })),
      file('f.yaml', widgets({ v1: { '<b>': TEXT } })),
      { ...FLAGS, generate: 0 },
      NOW,
    );
    const as = (format: CheckFlags['format']) => formatReport(report, { ...FLAGS, format });
    expect(JSON.parse(as('json'))).toMatchObject({
      verdict: 'breaking',
      definitions: [{ crd: 'widgets.foomake.io' }],
    });
    expect(JSON.parse(as('sarif')).runs[0].results[0]).toMatchObject({
      ruleId: 'field-removed',
      level: 'error',
      locations: [
        {
          physicalLocation: { artifactLocation: { uri: join(folder, 'f.yaml') }, region: { startLine: 17 } },
        },
      ],
    });
    expect(as('markdown')).toContain('| 🔴 breaking | `Widget v1 spec.a` | field removed<br>');
    expect(as('junit')).toContain('<testsuite name="widgets.foomake.io" tests="2" failures="1" skipped="0">');
    expect(as('junit')).toContain('name="field-added spec.&#60;b&#62;"/>');
  });

  const LENS = `apiVersion: instar.dev/v1alpha1
kind: Lens
metadata: { name: widgets }
spec:
  crd: widgets.foomake.io
  lenses:
  - from: v1
    to: v2
    ops:
    - rename: { from: spec.a, to: spec.b }
`;

  it('runs a lens', async () => {
    const [old, next] = [
      file('g.yaml', widgets({ v1: { a: TEXT } })),
      file('h.yaml', widgets({ v1: { a: TEXT }, v2: { b: TEXT } })),
    ];
    expect((await runCheck(old, next, FLAGS, NOW)).verdict).toBe('breaking');
    const report = await runCheck(old, next, { ...FLAGS, lens: text('lens.yaml', LENS) }, NOW);
    expect(report).toMatchObject({ verdict: 'converted', failed: false });
    expect(formatReport(report, FLAGS)).toContain(
      'verdict: breaking, but converted without loss for 100 % of 20 objects',
    );
  });

  describe('with a webhook', () => {
    let server: Server;
    /** Renames a to b like the lens, but drops every c. */
    beforeAll(async () => {
      server = createServer(async (request, response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk);
        const { uid, objects, desiredAPIVersion } = JSON.parse(Buffer.concat(chunks).toString()).request;
        const convertedObjects = objects.map(({ spec, ...rest }: { spec?: Record<string, unknown> }) => {
          const value = spec?.['a'] ?? spec?.['b'];
          const name = desiredAPIVersion.endsWith('v2') ? 'b' : 'a';
          return {
            ...rest,
            apiVersion: desiredAPIVersion,
            ...(spec && { spec: value === undefined ? {} : { [name]: value } }),
          };
        });
        response.end(JSON.stringify({ response: { uid, result: { status: 'Success' }, convertedObjects } }));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    });
    afterAll(() => server.close());

    it('reports what it loses', async () => {
      const webhook = `http://127.0.0.1:${(server.address() as AddressInfo).port}/convert`;
      const run = (more: Record<string, object>) =>
        runCheck(
          file('i.yaml', widgets({ v1: { a: TEXT, ...more } })),
          file('j.yaml', widgets({ v1: { a: TEXT, ...more }, v2: { b: TEXT, ...more } })),
          { ...FLAGS, webhook },
          NOW,
        );
      expect((await run({})).verdict).toBe('converted');
      const lossy = await run({ c: TEXT });
      expect(lossy.verdict).toBe('breaking');
      expect(lossy.definitions[0]!.findings).toContainEqual(
        expect.objectContaining({ rule: 'conversion-loss' }),
      );
    });
  });

  it('compares with a cluster and validates its objects', async () => {
    const server = await EmbeddedApi.start();
    try {
      const kubeconfig = text('kubeconfig', server.server.kubeconfig());
      const client = await openKubeClient({ kubeconfig });
      await client.create(
        { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' },
        widgets({ v1: { size: { type: 'integer' } } }),
      );
      const ref = { group: 'foomake.io', version: 'v1', resource: 'widgets', namespace: 'default' };
      for (let size = 1; size <= 3; size++) {
        const widget = {
          apiVersion: 'foomake.io/v1',
          kind: 'Widget',
          metadata: { name: `w${size}` },
          spec: { size },
        };
        await eventually('the definition to be served', () => client.create(ref, widget));
      }
      await client.close();
      const next = file('k.yaml', widgets({ v1: { size: { type: 'integer', maximum: 2 } } }));
      const report = await runCheck('kube:', next, { ...FLAGS, kubeconfig, objects: 'kube:' }, NOW);
      expect(report.definitions).toMatchObject([
        { crd: 'widgets.foomake.io', objects: { checked: 3, invalid: 1 } },
      ]);
      expect(report.definitions[0]!.findings).toContainEqual(
        expect.objectContaining({
          rule: 'objects-invalid',
          path: 'spec.size',
          message: '1 of 3 objects are not valid here',
        }),
      );
    } finally {
      await server.close();
    }
  });
});
