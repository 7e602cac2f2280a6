import { MarkdownView } from '../../../src/webview/markdown/markdownView.ts';
import type { MakeRenderer } from './renderer.ts';

export const parlance: MakeRenderer = (root) => {
  const view = new MarkdownView({ copy: () => true, compare() {}, insert() {}, open() {}, openLink() {} });
  root.append(view.element);
  return view;
};

const sectionChars = 4000;

/** The lower limit: plain text, in sections so that the browser doesn't lay it all out again. */
export const plainText: MakeRenderer = (root) => {
  let section: HTMLElement | undefined;
  let chars = 0;
  let waiting = '';
  return {
    append: (text) => {
      waiting += text;
    },
    render: () => {
      if (section === undefined || chars >= sectionChars) {
        section = document.createElement('div');
        section.className = 'plain-section';
        root.append(section);
        chars = 0;
      }
      section.append(waiting);
      chars += waiting.length;
      waiting = '';
      return true;
    },
  };
};

/** Only the frame. */
export const idle: MakeRenderer = () => ({ append() {}, render: () => true });
