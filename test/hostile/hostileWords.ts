import { canaryCommand } from '../workbench/writeDriverExtension.ts';

/** One of VS Code's icons that nothing in the workbench shows otherwise. */
export const canaryIcon = 'squirrel';
/** The target of an image or a link in hostile text. */
export const canaryHost = 'canary.invalid';

const link = `command:${canaryCommand}`;

/** Text that becomes something else if it's drawn as more than text. Each contains `press`. */
export const hostileWords: Readonly<Record<string, string>> = {
  icon: `press $(${canaryIcon})`,
  'spinning icon': `press $(${canaryIcon}~spin)`,
  link: `[press](${link})`,
  'link with a title': `[press](${link} "title")`,
  'link with arguments': `[press](${link}?%5B1%5D)`,
  'link in a link': `[[press](${link})](${link})`,
  'link by reference': `[press][1]\n\n[1]: ${link}`,
  'link in angles': `<${link}> press`,
  HTML: `<a href="${link}">press</a>`,
  picture: `![press](https://${canaryHost}/a.png)`,
  'picture in HTML': `press <img src="https://${canaryHost}/b.png" onerror="parlanceCanary()">`,
  script: 'press <script>parlanceCanary()</script>',
  lines: `press\n\n# of\r\nseveral\u2028lines\u0085and [more](${link})`,
  'right to left': 'press \u202Egnp.exe \u2066and\u2069 \u202Bso\u202C on',
  'control characters': `press \u0000\u0007\u001b[31m\u007f\u009b [red](${link})`,
  entities: `press &#91;x&#93;(${link}) &lt;b&gt;`,
  'escaped link': `\\[press\\](${link})`,
  'link over two lines': `[press\nhere](${link})`,
  'icon in a link': `[$(${canaryIcon}) press](${link})`,
};

/** All of them, in one. */
export const allHostileWords = Object.values(hostileWords).join(' ');
