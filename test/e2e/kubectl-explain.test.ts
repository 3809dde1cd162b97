// kubectl as a client of OpenAPI: explain with both versions of it, validation with it, and changes of a
// definition.
import { isDeepStrictEqual } from 'node:util';
import { describeUnless, eventually } from '@instar/testing';
import { findKubectls, Kubectl, missingKubectl, ServerProcess } from '@instar/testing/command';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** The oldest, the newest, and every third in between: they behave alike, and each takes seconds. */
const binaries = findKubectls().filter((_, at, all) => at % 3 === 0 || at === all.length - 1);

/**
 * Each kubectl has its own kind: explain accepts no group in the name of a resource. Both versions are
 * defined, and these are served.
 */
function gadgets(group: string, plural: string, served: readonly string[]): string {
  const spec = {
    type: 'object',
    description: 'What is wanted.',
    required: ['size'],
    properties: {
      size: { type: 'integer', description: 'How big.' },
      port: { 'x-kubernetes-int-or-string': true },
      anything: { type: 'object', nullable: true, 'x-kubernetes-preserve-unknown-fields': true },
      template: {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
      },
      parts: {
        type: 'array',
        items: { type: 'object', properties: { name: { type: 'string', default: 'bolt' } } },
      },
    },
  };
  const version = (name: string) => ({
    name,
    served: served.includes(name),
    storage: name === 'v1',
    schema: {
      openAPIV3Schema: { type: 'object', description: `A gadget of ${name}.`, properties: { spec } },
    },
  });
  return JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind: 'Gadget' },
      versions: [version('v1'), version('v2')],
    },
  });
}

const gadget = (group: string, spec: object): string =>
  JSON.stringify({
    apiVersion: `${group}/v1`,
    kind: 'Gadget',
    metadata: { name: 'one', namespace: 'default' },
    spec,
  });

const service = (port: number): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'merged', namespace: 'default' },
    spec: { selector: { a: 'b' }, ports: [80, port].map((number) => ({ name: `p${number}`, port: number })) },
  });

describeUnless(missingKubectl(), 'Explaining', () => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await ServerProcess.start();
  });
  afterAll(() => server.remove());

  describe.each(binaries)('kubectl 1.$minor', (binary) => {
    const group = `toys${binary.minor}.example.com`;
    const resource = `gadgets${binary.minor}`;
    let kubectl: Kubectl;
    beforeAll(async () => {
      kubectl = new Kubectl(binary, server.kubeconfig);
      await kubectl.ok(['apply', '-f', '-'], { stdin: gadgets(group, resource, ['v1']) });
      await kubectl.ok(['wait', '--for=condition=Established', `crd/${resource}.${group}`]);
    });
    afterAll(() => kubectl.remove());
    const explain = (...args: string[]) => kubectl.ok(['explain', ...args]);

    it.each(['plaintext', 'plaintext-openapiv2'])('explains built-in kinds, as %s', async (output) => {
      expect(await explain('configmaps', '--output', output)).toMatch(/binaryData\s+<map\[string\]string>/);
      expect(await explain('services.spec.ports', '--output', output)).toMatch(
        /port\s+<integer>\s-required-/,
      );
      expect(await explain('events', '--api-version=events.k8s.io/v1', '--output', output)).toContain(
        'deprecatedSource',
      );
      expect(await explain('crd', '--recursive', '--output', output)).toContain('x-kubernetes-validations');
    });

    it.each(['plaintext', 'plaintext-openapiv2'])('explains custom kinds, as %s', async (output) => {
      expect(await explain(resource, '--output', output)).toMatch(/A gadget of v1\.[\s\S]*spec\s+<Object>/);
      const recursive = await explain(resource, '--recursive', '--output', output);
      for (const field of ['ownerReferences', 'anything', 'template', 'port', 'name'])
        expect(recursive).toContain(field);
      expect(await explain(resource, '--api-version', `${group}/v1`, '--output', output)).toContain(
        'A gadget of v1.',
      );
    });

    it('has fields validated by the server', async () => {
      const strict = await kubectl.run(['create', '-f', '-'], {
        stdin: gadget(group, { size: 1, sighs: 1 }),
      });
      expect(strict.stderr).toContain('strict decoding error: unknown field "spec.sighs"');
      const warned = await kubectl.run(['create', '--validate=warn', '--dry-run=server', '-f', '-'], {
        stdin: gadget(group, { size: 1, sighs: 1 }),
      });
      expect([warned.code, warned.stderr.trim()]).toEqual([0, 'Warning: unknown field "spec.sighs"']);
    });

    it('applies and compares custom and built-in kinds', async () => {
      expect(await kubectl.ok(['apply', '-f', '-'], { stdin: gadget(group, { size: 1 }) })).toContain(
        'created',
      );
      expect(await kubectl.ok(['apply', '-f', '-'], { stdin: gadget(group, { size: 2 }) })).toContain(
        'configured',
      );
      const changed = await kubectl.run(['diff', '-f', '-'], { stdin: gadget(group, { size: 3 }) });
      expect([changed.code, changed.stdout]).toEqual([1, expect.stringContaining('+  size: 3')]);
      await kubectl.ok(['apply', '-f', '-'], { stdin: service(81) });
      await kubectl.ok(['apply', '-f', '-'], { stdin: service(82) });
      expect(await kubectl.ok(['get', 'service', 'merged', '-o', 'jsonpath={.spec.ports[*].port}'])).toBe(
        '80 82',
      );
      await kubectl.ok(['delete', 'service', 'merged']);
    });

    it('sees each change of the versions of a definition until it is deleted', async () => {
      const versions = async () => {
        const { paths } = JSON.parse(await kubectl.ok(['get', '--raw', '/openapi/v3'])) as { paths: object };
        return Object.keys(paths).filter((path) => path.startsWith(`apis/${group}/`));
      };
      const published = (expected: string[]) =>
        eventually('its versions in /openapi/v3', versions, {
          holds: (paths) => isDeepStrictEqual(paths, expected),
        });
      expect(await versions()).toEqual([`apis/${group}/v1`]);
      await kubectl.ok(['apply', '-f', '-'], { stdin: gadgets(group, resource, ['v1', 'v2']) });
      await published([`apis/${group}/v1`, `apis/${group}/v2`]);
      expect(await explain(resource, '--api-version', `${group}/v2`)).toContain('A gadget of v2.');
      await kubectl.ok(['apply', '-f', '-'], { stdin: gadgets(group, resource, ['v2']) });
      await published([`apis/${group}/v2`]);
      await kubectl.ok(['delete', 'crd', `${resource}.${group}`]);
      await published([]);
    });
  });
});
