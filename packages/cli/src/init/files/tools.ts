// What surrounds the code: the package, the image, CI.
import { DEFAULT_PORT } from '@instar/webhook/defaults';
import type { Project, ProjectFile } from '../project.ts';

const INSTAR = '^0.1.0';

export function toolFiles(project: Project): ProjectFile[] {
  return [
    { path: 'package.json', text: `${JSON.stringify(packageOf(project), null, 2)}\n` },
    { path: '.gitignore', text: 'node_modules/\n' },
    { path: '.dockerignore', text: 'node_modules/\n.git/\nsamples/\ndeploy/\n' },
    { path: 'Dockerfile', text: dockerfile(project) },
    { path: '.github/workflows/test.yaml', text: WORKFLOW },
  ];
}

function packageOf({ name, kind, style, samples }: Project): object {
  const tested = style === 'lens' ? '--lens lens.yaml' : '--module conversion.mjs';
  const served = style === 'lens' ? `--lens ${kind}=lens.yaml` : '--module conversion.mjs';
  const withSamples = samples.length === 0 ? '' : ' --samples samples';
  return {
    name,
    private: true,
    version: '0.1.0',
    type: 'module',
    engines: { node: '>=20.19' },
    scripts: {
      test: `instar test --crd crd.yaml ${tested}${withSamples}`,
      start: `instar webhook serve ${served}`,
    },
    dependencies: { instar: INSTAR },
  };
}

function dockerfile({ style, kind }: Project): string {
  const [file, flags] =
    style === 'lens'
      ? ['lens.yaml', `"--lens", "${kind}=lens.yaml"`]
      : ['conversion.mjs', '"--module", "conversion.mjs"'];
  return `FROM node:22-slim
WORKDIR /app
ENV NODE_ENV=production
COPY package*.json ./
RUN npm install --no-audit --no-fund
COPY ${file} ./
USER node
EXPOSE ${DEFAULT_PORT}
ENTRYPOINT ["node_modules/.bin/instar", "webhook", "serve", ${flags}]
`;
}

const WORKFLOW = `name: test
on:
  push:
    branches: [main]
  pull_request:
jobs:
  conversion:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 22
      - run: npm install
      # A seed that is always the same: what decides about a change must say the same of the same change.
      - run: npm test -- --runs 10000 --seed 1 --format junit --output report.xml
      - if: always()
        uses: actions/upload-artifact@v4
        with:
          name: conversion-report
          path: report.xml
`;
