import type { ReactNode } from "react";
import { Link } from "react-router";
import { Badge, Time } from "../../parts/texts.tsx";
import { pointsOf } from "../verification/scales.ts";
import { Trust } from "../verification/trust.tsx";
import { useListPlace } from "./keys/neighbours.tsx";

interface ArticleRowProps {
  article: { id: number; title: string; domain: string; confidence: number; publishedAt: string; verified?: boolean };
  /** The outlet; a link narrows the stream to it. */
  outlet: ReactNode;
  children: ReactNode;
}

/** An article in a list: its title first, who tells it and when, and how far it can be trusted. */
export function ArticleRow({ article, outlet, children }: ArticleRowProps): ReactNode {
  const place = useListPlace();
  return (
    <li className="article-row">
      <div>
        <h2 dir="auto">
          <Link to={`/news/articles/${article.id}`} state={place}>
            {article.title}
          </Link>
        </h2>
        <p className="muted byline">
          <bdi>{outlet}</bdi> · <Time at={article.publishedAt} /> · {article.domain}
        </p>
        {children}
      </div>
      <div className="standing">
        <Trust points={pointsOf(article)} />
        {article.verified && <Badge tone="good">✓ verified</Badge>}
      </div>
    </li>
  );
}
