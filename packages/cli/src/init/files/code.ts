// The conversion itself and the server that runs it as a webhook.
import type { Project, ProjectFile } from '../project.ts';

export function codeFiles(project: Project): ProjectFile[] {
  const server = { path: 'server.mjs', text: serverText(project) };
  if (project.style === 'functions') return [{ path: 'conversion.mjs', text: functionsText(project) }, server];
  return [{ path: 'lens.yaml', text: project.lens }, { path: 'conversion.mjs', text: lensReader(project) }, server];
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

function lensReader({ kind }: Project): string {
  return `// The conversion is lens.yaml; this only reads it.
import { readFile } from 'node:fs/promises';
import { parseLens } from '@instar/lens';
import { fieldErrorMessage, parseYaml } from '@instar/machinery';

const { lens, errors } = parseLens(parseYaml(await readFile(new URL('lens.yaml', import.meta.url))).value);
if (errors !== undefined) throw new Error(\`lens.yaml: \${errors.map(fieldErrorMessage).join('; ')}\`);

export default { kind: '${kind}', lens };
`;
}

function serverText({ name, plural, group }: Project): string {
  return `// Serves the conversion as a webhook. In a cluster (POD_NAMESPACE is set) it makes its own certificates, keeps them in a Secret and writes
// their CA into the definition; elsewhere it takes TLS_CERT_FILE and TLS_KEY_FILE, or makes a certificate for this run alone.
import { openKubeClient } from '@instar/client';
import { conversion, serveWebhooks } from '@instar/webhook';
import definition from './conversion.mjs';

const { POD_NAMESPACE: namespace, TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile, PORT = '9443' } = process.env;

async function managedBySelf() {
  if (namespace === undefined) return {};
  return {
    service: { name: '${name}', namespace },
    store: { secret: { name: '${name}-tls', namespace } },
    inject: [{ customResourceDefinition: '${plural}.${group}' }],
    client: await openKubeClient(),
  };
}

const host = await serveWebhooks({
  webhooks: { '/convert': conversion(definition) },
  listen: { port: Number(PORT) },
  tls: certFile === undefined ? { selfManaged: await managedBySelf() } : { certFile, keyFile },
});
console.log(\`ready \${host.url}/convert\`);
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => host.close().then(() => process.exit(0)));
`;
}
