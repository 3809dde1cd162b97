// Manifests: the webhook with what it may do, and the part of the definition that sends objects to it.

import { type JsonObject, printYaml } from '@instar/machinery';
import { DEFAULT_PORT } from '@instar/webhook/defaults';
import type { Project, ProjectFile } from '../project.ts';

const NAMESPACE = 'default';

export function deployFiles(project: Project): ProjectFile[] {
  const documents = [...access(project), deployment(project), service(project)];
  return [
    { path: 'deploy/webhook.yaml', text: documents.map((one) => printYaml(one)).join('---\n') },
    { path: 'deploy/crd-conversion.yaml', text: printYaml(conversionPatch(project)) },
  ];
}

const metadata = (name: string): JsonObject => ({ name, namespace: NAMESPACE });

function access({ name, plural, group }: Project): JsonObject[] {
  const rbac = 'rbac.authorization.k8s.io/v1';
  const subjects = [{ kind: 'ServiceAccount', name, namespace: NAMESPACE }];
  const roleRef = (kind: string): JsonObject => ({ apiGroup: 'rbac.authorization.k8s.io', kind, name });
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: metadata(name) },
    {
      apiVersion: rbac,
      kind: 'Role',
      metadata: metadata(name),
      rules: [
        { apiGroups: [''], resources: ['secrets'], verbs: ['create'] },
        {
          apiGroups: [''],
          resources: ['secrets'],
          resourceNames: [`${name}-tls`],
          verbs: ['get', 'patch', 'update'],
        },
      ],
    },
    { apiVersion: rbac, kind: 'RoleBinding', metadata: metadata(name), subjects, roleRef: roleRef('Role') },
    {
      apiVersion: rbac,
      kind: 'ClusterRole',
      metadata: { name },
      rules: [
        {
          apiGroups: ['apiextensions.k8s.io'],
          resources: ['customresourcedefinitions'],
          resourceNames: [`${plural}.${group}`],
          verbs: ['get', 'patch'],
        },
      ],
    },
    {
      apiVersion: rbac,
      kind: 'ClusterRoleBinding',
      metadata: { name },
      subjects,
      roleRef: roleRef('ClusterRole'),
    },
  ];
}

function deployment({ name, image, plural, group }: Project): JsonObject {
  const probe = (path: string): JsonObject => ({ httpGet: { path, port: DEFAULT_PORT, scheme: 'HTTPS' } });
  const container = {
    name: 'webhook',
    image,
    // It makes its own certificates, keeps them in a Secret, and writes their CA into the definition.
    args: [
      `--service=$(POD_NAMESPACE)/${name}`,
      `--cert-secret=$(POD_NAMESPACE)/${name}-tls`,
      `--inject=crd/${plural}.${group}`,
    ],
    ports: [{ containerPort: DEFAULT_PORT }],
    env: [{ name: 'POD_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } }],
    livenessProbe: probe('/healthz'),
    readinessProbe: probe('/readyz'),
    resources: { requests: { cpu: '50m', memory: '96Mi' }, limits: { memory: '256Mi' } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      runAsNonRoot: true,
      capabilities: { drop: ['ALL'] },
    },
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metadata(name),
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { serviceAccountName: name, containers: [container] },
      },
    },
  };
}

const service = ({ name }: Project): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: metadata(name),
  spec: { selector: { app: name }, ports: [{ port: 443, targetPort: DEFAULT_PORT }] },
});

const conversionPatch = ({ name }: Project): JsonObject => ({
  spec: {
    conversion: {
      strategy: 'Webhook',
      webhook: {
        conversionReviewVersions: ['v1'],
        clientConfig: { service: { name, namespace: NAMESPACE, path: '/convert', port: 443 } },
      },
    },
  },
});
