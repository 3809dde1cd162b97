// The work of a CRD author: their own CRD, then those of Gateway API and cert-manager, with their objects.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeUnless, missingCorpus, temporaryFolder, unpackCorpus } from '@instar/testing';
import { findKubectls, Kubectl, missingKubectl, ServerProcess } from '@instar/testing/command';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { custom } from './custom-steps.ts';
import { failuresOf } from './steps.ts';

const binaries = findKubectls().filter((_, at, all) => at === 0 || at === all.length - 1);
const newest = binaries.at(-1);

describeUnless(missingKubectl(), 'A CRD author', () => {
  // Each has its own server: they use the same names.
  it.concurrent.each(binaries)(
    'creates, changes and deletes a CRD with kubectl 1.$minor',
    { timeout: 120_000 },
    async (binary) => {
      const server = await ServerProcess.start();
      const kubectl = new Kubectl(binary, server.kubeconfig);
      const failures = await failuresOf(custom, kubectl, `crd-${binary.minor}`);
      kubectl.remove();
      await server.remove();
      expect(failures.join('\n')).toBe('');
    },
  );

  describeUnless(missingCorpus(), 'with CRDs of others', () => {
    const files = temporaryFolder();
    const folder = (name: string): string => join(files, name);
    let server: ServerProcess;
    let kubectl: Kubectl;
    beforeAll(async () => {
      server = await ServerProcess.start();
      kubectl = new Kubectl(newest!, server.kubeconfig);
      unpackCorpus(
        'crds/kubernetes-sigs__gateway-api',
        folder('gateway-crds'),
        (name) => !name.startsWith('x'),
      );
      unpackCorpus('crds/cert-manager__cert-manager', folder('cert-crds'));
      // Two are of versions that are no longer served, and one is invalid only in the experimental channel.
      unpackCorpus(
        'objects/kubernetes-sigs__gateway-api/valid',
        folder('gateway-valid'),
        (name) => !name.startsWith('tlsroute--tls-routing'),
      );
      unpackCorpus(
        'objects/kubernetes-sigs__gateway-api/invalid',
        folder('gateway-invalid'),
        (name) => !name.includes('invalid-header-value'),
      );
      unpackCorpus('objects/cert-manager__cert-manager', folder('cert-valid'), (name) =>
        /^(issuer--files|certificate--fixtures|issuer--fixtures)/.test(name),
      );
    });
    afterAll(async () => {
      kubectl.remove();
      await server.remove();
    });
    const lines = (text: string): string[] => text.trim().split('\n');

    it('gets the CRDs of Gateway API and of cert-manager established', async () => {
      // Some are larger than the annotation of a client-side apply may be; their projects also use
      // --server-side.
      const gateway = await kubectl.ok(['apply', '--server-side', '-f', folder('gateway-crds')]);
      expect(lines(gateway)).toHaveLength(10);
      expect(lines(await kubectl.ok(['apply', '--server-side', '-f', folder('cert-crds')]))).toHaveLength(6);
      const met = await kubectl.ok(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=30s']);
      expect(lines(met).filter((line) => line.endsWith('condition met')).length).toBeGreaterThanOrEqual(16);
      expect(lines(await kubectl.ok(['apply', '--server-side', '-f', folder('gateway-crds')]))).toHaveLength(
        10,
      );
    }, 60_000);

    it('creates the valid sample objects', async () => {
      for (const namespace of namespacesNamedIn(folder('gateway-valid')))
        await kubectl.ok(['create', 'namespace', namespace]);
      const out = await kubectl.ok(['apply', '-f', folder('gateway-valid')]);
      expect(lines(out).every((line) => / (created|configured|unchanged)$/.test(line))).toBe(true);
      expect(out).toContain('httproute.gateway.networking.k8s.io/');
      expect(await kubectl.ok(['apply', '-f', folder('cert-valid')])).toContain('issuer.cert-manager.io/');
    }, 60_000);

    it('sees no diff after applying the same objects server-side', async () => {
      const valid = folder('gateway-valid');
      const taken = await kubectl.ok(['apply', '--server-side', '--force-conflicts', '-f', valid]);
      expect(lines(taken).every((line) => line.endsWith(' serverside-applied'))).toBe(true);
      expect(await kubectl.ok(['diff', '--server-side', '--force-conflicts', '-f', valid])).toBe('');
      expect(
        lines(await kubectl.ok(['apply', '-f', valid])).every((line) =>
          / (configured|unchanged)$/.test(line),
        ),
      ).toBe(true);
    }, 60_000);

    it('refuses every invalid object with a reason', async () => {
      const { code, stdout, stderr } = await kubectl.run(['create', '-f', folder('gateway-invalid')]);
      expect(stdout).toBe('');
      expect(code).toBe(1);
      expect(stderr).toMatch(/Gateway\.gateway\.networking\.k8s\.io "\S+" is invalid: spec\.listeners/);
      expect(stderr).toMatch(/HTTPRoute\.gateway\.networking\.k8s\.io "\S+" is invalid: spec\.rules\[0\]/);
    }, 60_000);

    it('shows them with the columns of their CRDs', async () => {
      expect(await kubectl.ok(['get', 'gateways'])).toMatch(/^NAME +CLASS +ADDRESS +PROGRAMMED +AGE\n/);
      expect(await kubectl.ok(['get', 'gatewayclasses', '-o', 'wide'])).toMatch(
        /^NAME +CONTROLLER +ACCEPTED +AGE +DESCRIPTION\n/,
      );
      expect(await kubectl.ok(['get', 'httproutes', '-A'])).toMatch(/^NAMESPACE +NAME +HOSTNAMES +AGE\n/);
      expect(await kubectl.ok(['get', 'issuers', '-A', '-o', 'wide'])).toMatch(
        /^NAMESPACE +NAME +READY +STATUS +AGE\n/,
      );
      expect(await kubectl.ok(['get', 'gateway-api', '-o', 'name'])).toContain(
        'gateway.gateway.networking.k8s.io/',
      );
      expect(await kubectl.ok(['get', 'cert-manager', '-A', '-o', 'name'])).toContain(
        'issuer.cert-manager.io/',
      );
    });

    it('warns of deprecated versions', async () => {
      const serve = '[{"op":"replace","path":"/spec/versions/1/served","value":true}]';
      await kubectl.ok(['patch', 'crd', 'tcproutes.gateway.networking.k8s.io', '--type=json', '-p', serve]);
      const { code, stderr } = await kubectl.run(['get', 'tcproutes.v1alpha2.gateway.networking.k8s.io']);
      expect(code).toBe(0);
      expect(stderr).toContain('Warning: The v1alpha2 version of TCPRoute has been deprecated');
    });

    it('explains all of their fields', async () => {
      const route = await kubectl.ok(['explain', 'httproutes', '--recursive']);
      for (const word of ['GROUP:', 'backendRefs', 'requestHeaderModifier', 'sectionName', 'parentRefs'])
        expect(route).toContain(word);
      expect(await kubectl.ok(['explain', 'certificate.spec.privateKey.rotationPolicy'])).toContain(
        'RotationPolicy controls how private keys',
      );
      expect(await kubectl.ok(['explain', 'issuer.spec.acme.solvers.http01', '--recursive'])).toContain(
        'ingressClassName',
      );
    });

    it('removes a CRD with all of its objects', async () => {
      await kubectl.ok(['delete', 'crd', 'gateways.gateway.networking.k8s.io', '--timeout=30s']);
      // Reads discovery again, which kubectl otherwise caches.
      expect(await kubectl.ok(['api-resources', '-o', 'name'])).not.toContain('gateways.gateway');
      const { code, stderr } = await kubectl.run(['get', 'gateways']);
      expect([code, stderr]).toEqual([1, 'error: the server doesn\'t have a resource type "gateways"\n']);
    }, 40_000);
  });
});

function namespacesNamedIn(folder: string): ReadonlySet<string> {
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  return new Set(
    texts.flatMap((text) => [...text.matchAll(/^ {2}namespace: (\S+)$/gm)].map((match) => match[1]!)),
  );
}
