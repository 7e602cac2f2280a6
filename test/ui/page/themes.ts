import type { Page } from 'playwright-core';

/** VS Code's default themes, limited to the colors that the page uses. */
export const themes = {
  dark: {
    bodyClass: 'vscode-dark',
    background: '#181818',
    colors: {
      foreground: '#cccccc',
      descriptionForeground: '#9d9d9d',
      disabledForeground: '#cccccc80',
      errorForeground: '#f85149',
      focusBorder: '#0078d4',
      'icon-foreground': '#cccccc',
      'editor-background': '#1f1f1f',
      'editor-foreground': '#cccccc',
      'editor-findMatchBackground': '#9e6a03',
      'editor-findMatchHighlightBackground': '#ea5c0055',
      'sideBar-background': '#181818',
      'input-background': '#313131',
      'input-border': '#3c3c3c',
      'input-foreground': '#cccccc',
      'input-placeholderForeground': '#989898',
      'inputValidation-errorBorder': '#be1100',
      'button-background': '#0078d4',
      'button-foreground': '#ffffff',
      'button-hoverBackground': '#026ec1',
      'button-border': '#ffffff12',
      'button-secondaryBackground': '#313131',
      'button-secondaryForeground': '#cccccc',
      'button-secondaryHoverBackground': '#3c3c3c',
      'dropdown-background': '#313131',
      'dropdown-border': '#3c3c3c',
      'dropdown-foreground': '#cccccc',
      'settings-textInputBorder': '#3c3c3c',
      'textLink-foreground': '#4daafc',
      'textLink-activeForeground': '#4daafc',
      'textPreformat-foreground': '#d0d0d0',
      'textPreformat-background': '#3c3c3c',
      'textCodeBlock-background': '#2b2b2b',
      'textBlockQuote-background': '#2b2b2b',
      'textBlockQuote-border': '#616161',
      'widget-border': '#313131',
      'list-activeSelectionBackground': '#04395e',
      'list-activeSelectionForeground': '#ffffff',
      'widget-shadow': '#0000005c',
      'editorWidget-background': '#202020',
      'editorWidget-foreground': '#cccccc',
      'progressBar-background': '#0078d4',
      'toolbar-hoverBackground': '#5a5d5e50',
      'activityBarBadge-background': '#0078d4',
      'badge-background': '#616161',
      'editorError-foreground': '#f14c4c',
      'editorWarning-foreground': '#cca700',
      'testing-iconPassed': '#73c991',
      'chat-requestBubbleBackground': '#264f784d',
      'charts-orange': '#ea5c0055',
      'charts-blue': '#59a4f9',
      'charts-purple': '#b180d7',
      'charts-green': '#89d185',
      'charts-yellow': '#cca700',
      'chat-requestBorder': '#ffffff1a',
      'diffEditor-insertedLineBackground': '#9bb95533',
      'diffEditor-removedLineBackground': '#ff000033',
      'panel-border': '#2b2b2b',
      'scrollbarSlider-background': '#79797966',
    },
  },
  light: {
    bodyClass: 'vscode-light',
    background: '#f8f8f8',
    colors: {
      foreground: '#3b3b3b',
      descriptionForeground: '#3b3b3b',
      disabledForeground: '#61616180',
      errorForeground: '#f85149',
      focusBorder: '#005fb8',
      'icon-foreground': '#3b3b3b',
      'editor-background': '#ffffff',
      'editor-foreground': '#3b3b3b',
      'editor-findMatchBackground': '#a8ac94',
      'editor-findMatchHighlightBackground': '#ea5c0055',
      'sideBar-background': '#f8f8f8',
      'input-background': '#ffffff',
      'input-border': '#cecece',
      'input-foreground': '#3b3b3b',
      'input-placeholderForeground': '#767676',
      'inputValidation-errorBorder': '#be1100',
      'button-background': '#005fb8',
      'button-foreground': '#ffffff',
      'button-hoverBackground': '#0258a8',
      'button-border': '#0000001a',
      'button-secondaryBackground': '#e5e5e5',
      'button-secondaryForeground': '#3b3b3b',
      'button-secondaryHoverBackground': '#cccccc',
      'dropdown-background': '#ffffff',
      'dropdown-border': '#cecece',
      'dropdown-foreground': '#3b3b3b',
      'settings-textInputBorder': '#cecece',
      'textLink-foreground': '#005fb8',
      'textLink-activeForeground': '#005fb8',
      'textPreformat-foreground': '#3b3b3b',
      'textPreformat-background': '#0000001f',
      'textCodeBlock-background': '#f8f8f8',
      'textBlockQuote-background': '#f8f8f8',
      'textBlockQuote-border': '#e5e5e5',
      'widget-border': '#e5e5e5',
      'list-activeSelectionBackground': '#e8e8e8',
      'list-activeSelectionForeground': '#000000',
      'widget-shadow': '#00000029',
      'editorWidget-background': '#f8f8f8',
      'editorWidget-foreground': '#3b3b3b',
      'progressBar-background': '#005fb8',
      'toolbar-hoverBackground': '#b8b8b850',
      'activityBarBadge-background': '#005fb8',
      'badge-background': '#cccccc',
      'editorError-foreground': '#e51400',
      'editorWarning-foreground': '#bf8803',
      'testing-iconPassed': '#73c991',
      'chat-requestBubbleBackground': '#add6ff4d',
      'charts-orange': '#ea5c0055',
      'charts-blue': '#0063d3',
      'charts-purple': '#652d90',
      'charts-green': '#388a34',
      'charts-yellow': '#bf8803',
      'chat-requestBorder': '#0000001a',
      'diffEditor-insertedLineBackground': '#9bb95533',
      'diffEditor-removedLineBackground': '#ff000033',
      'panel-border': '#e5e5e5',
      'scrollbarSlider-background': '#64646466',
    },
  },
  hc: {
    bodyClass: 'vscode-high-contrast',
    background: '#000000',
    colors: {
      foreground: '#ffffff',
      descriptionForeground: '#ffffffb3',
      disabledForeground: '#a5a5a5',
      errorForeground: '#f48771',
      focusBorder: '#f38518',
      contrastBorder: '#6fc3df',
      contrastActiveBorder: '#f38518',
      'icon-foreground': '#ffffff',
      'editor-background': '#000000',
      'editor-foreground': '#ffffff',
      'sideBar-background': '#000000',
      'input-background': '#000000',
      'input-border': '#6fc3df',
      'input-foreground': '#ffffff',
      'input-placeholderForeground': '#ffffffb3',
      'inputValidation-errorBorder': '#6fc3df',
      'button-background': '#000000',
      'button-foreground': '#ffffff',
      'button-border': '#6fc3df',
      'button-secondaryForeground': '#ffffff',
      'dropdown-background': '#000000',
      'dropdown-border': '#6fc3df',
      'dropdown-foreground': '#ffffff',
      'settings-textInputBorder': '#6fc3df',
      'textLink-foreground': '#21a6ff',
      'textLink-activeForeground': '#21a6ff',
      'textPreformat-foreground': '#000000',
      'textPreformat-background': '#ffffff',
      'textCodeBlock-background': '#000000',
      'textBlockQuote-border': '#ffffff',
      'widget-border': '#6fc3df',
      'editorWidget-background': '#0c141f',
      'editorWidget-foreground': '#ffffff',
      'progressBar-background': '#6fc3df',
      'toolbar-hoverOutline': '#f38518',
      'activityBarBadge-background': '#000000',
      'badge-background': '#000000',
      'editorError-foreground': '#f48771',
      'editorWarning-foreground': '#ffd370',
      'testing-iconPassed': '#73c991',
      'charts-blue': '#59a4f9',
      'charts-purple': '#b180d7',
      'charts-green': '#89d185',
      'charts-yellow': '#ffd370',
      'chat-requestBorder': '#6fc3df',
      'diffEditor-insertedTextBorder': '#33ff2e',
      'diffEditor-removedTextBorder': '#ff008f',
      'panel-border': '#6fc3df',
      'scrollbarSlider-background': '#6fc3df99',
    },
  },
} as const;

export type ThemeName = keyof typeof themes;

/** The theme as custom properties, as VS Code gives them to a webview. */
export function themeCss(name: ThemeName): string {
  const { background, colors } = themes[name];
  const properties = Object.entries(colors).map(([color, value]) => `--vscode-${color}: ${value};`);
  return `:root {
  --vscode-font-family: system-ui, 'Segoe UI', Ubuntu, sans-serif;
  --vscode-font-size: 13px;
  --vscode-font-weight: normal;
  --vscode-editor-font-family: 'Droid Sans Mono', monospace;
  --vscode-editor-font-size: 14px;
  ${properties.join('\n  ')}
}
html { background: ${background}; color-scheme: ${name === 'light' ? 'light' : 'dark'}; }`;
}

/** Changes the theme of a page that is already open, as VS Code does it, and resolves when it's drawn. */
export async function setTheme(page: Page, theme: ThemeName): Promise<void> {
  await page.evaluate(
    async ([name, bodyClass, allClasses]) => {
      const link = document.querySelector<HTMLLinkElement>('link[href^="theme.css"]');
      if (link === null) throw new Error('The page has no theme');
      const href = `theme.css?theme=${name}`;
      if (link.getAttribute('href') === href) return;
      await new Promise<void>((resolve) => {
        link.addEventListener('load', () => resolve(), { once: true });
        link.href = href;
      });
      document.body.classList.remove(...allClasses);
      document.body.classList.add(bodyClass);
      await new Promise<void>((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
      });
    },
    [theme, themes[theme].bodyClass, Object.values(themes).map(({ bodyClass }) => bodyClass)] as const,
  );
}
