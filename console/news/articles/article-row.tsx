import type { ReactNode } from "react";
import { Link } from "react-router";
import { Badge, Time } from "../../parts/texts.tsx";
import { pointsOf } from "../verification/scales.ts";
import { Trust } from "../verification/trust.tsx";

interface ArticleRowProps {
  article: { id: number; title: string; domain: string; confidence: number; publishedAt: string; verified?: boolean };
  /** The outlet; a link narrows the stream to it. */
  outlet: ReactNode;
  children: ReactNode;
}

/** An article in a list: its title first, who tells it and when, and how far it can be trusted. */
export const ArticleRow = ({ article, outlet, children }: ArticleRowProps): ReactNode => (
  <li className="article-row">
    <div>
      <h2>
        <Link to={`/news/articles/${article.id}`}>{article.title}</Link>
      </h2>
      <p className="muted byline">
        {outlet} · <Time at={article.publishedAt} /> · {article.domain}
      </p>
      {children}
    </div>
    <div className="standing">
      <Trust points={pointsOf(article)} />
      {article.verified && <Badge tone="good">✓ verified</Badge>}
    </div>
  </li>
);
