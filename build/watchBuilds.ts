import { type BuildOptions, context, type Plugin } from 'esbuild';

/** Builds each again whenever one of its files changes, and ends with the process. */
export async function watchBuilds(builds: readonly BuildOptions[]): Promise<void> {
  const announce = announceRounds();
  for (const options of builds) {
    const watched = await context({ ...options, logLevel: 'silent', plugins: [...(options.plugins ?? []), announce] });
    await watched.watch();
  }
}

/** The problem matcher of `.vscode/tasks.json` waits for these two lines; several builds speak as one. */
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
