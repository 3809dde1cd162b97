import { DEFAULT_PORT } from '@instar/webhook/defaults';
import type { Project, ProjectFile } from '../project.ts';

export function readme({ name, kind, plural, group, style, versions, image }: Project): ProjectFile {
  const how =
    style === 'lens'
      ? 'lens.yaml says how, for both directions'
      : 'conversion.mjs has a function for each direction';
  return {
    path: 'README.md',
    text: `# ${name}

Converts ${kind} (${plural}.${group}) between ${versions.join(', ')}: ${how}.

\`\`\`
npm install
npm test                 # laws and samples: is anything lost?
npm start                # the webhook, on port ${DEFAULT_PORT}
\`\`\`

Put the same object in every version into \`samples/<case>/${versions[0]}.yaml\`, \`${versions[1]}.yaml\`: each is converted to every other and compared.

To deploy it:

\`\`\`
docker build -t ${image} . && docker push ${image}
kubectl apply -f crd.yaml -f deploy/webhook.yaml
kubectl patch crd ${plural}.${group} --type merge --patch-file deploy/crd-conversion.yaml
\`\`\`
`,
  };
}
