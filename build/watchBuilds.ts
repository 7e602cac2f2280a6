import { type BuildOptions, context, type Plugin } from 'esbuild';

/** Rebuilds whenever a file changes, until the process ends. */
export async function watchBuilds(builds: readonly BuildOptions[]): Promise<void> {
  const announce = announceRounds();
  for (const options of builds) {
    const watched = await context({ ...options, logLevel: 'silent', plugins: [...(options.plugins ?? []), announce] });
    await watched.watch();
  }
}

/** The problem matcher in `.vscode/tasks.json` waits for these two lines. Several builds report as one. */
function announceRounds(): Plugin {
  let running = 0;
  return {
    name: 'announce-rounds',
    setup(build) {
      build.onStart(() => {
        if (running++ === 0) console.log('[watch] build started');
      });
      build.onEnd(({ errors, warnings }) => {
        for (const { text, location } of [...errors, ...warnings]) {
          const place = location ? `\n    ${location.file}:${location.line}:${location.column}:` : '';
          console.error(`✘ [ERROR] ${text}${place}`);
        }
        if (--running === 0) console.log('[watch] build finished');
      });
    },
  };
}
