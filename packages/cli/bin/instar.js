#!/usr/bin/env node
// There before anything is built, so that npm can link it; what it starts is made by `npm run build`.
import { existsSync } from 'node:fs';

const bundle = new URL('../bundle/main.js', import.meta.url);
if (!existsSync(bundle)) {
  process.stderr.write(
    'error: instar is not built yet: run npm run build (npm start and npm test do it by themselves)\n',
  );
  process.exit(1);
}
await import(bundle.href);
