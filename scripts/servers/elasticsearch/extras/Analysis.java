package signalmesh.test;

import java.io.Reader;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.charfilter.HTMLStripCharFilter;
import org.apache.lucene.analysis.core.LetterTokenizer;
import org.apache.lucene.analysis.core.WhitespaceTokenizer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.ngram.EdgeNGramTokenizer;
import org.apache.lucene.analysis.ngram.NGramTokenizer;
import org.apache.lucene.analysis.pattern.PatternReplaceCharFilter;
import org.apache.lucene.analysis.pattern.PatternTokenizer;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.env.Environment;
import org.elasticsearch.index.analysis.AbstractCharFilterFactory;
import org.elasticsearch.index.analysis.AbstractIndexAnalyzerProvider;
import org.elasticsearch.index.analysis.AnalyzerProvider;
import org.elasticsearch.index.analysis.CharFilterFactory;
import org.elasticsearch.index.analysis.TokenizerFactory;
import org.elasticsearch.indices.analysis.AnalysisModule.AnalysisProvider;
import org.elasticsearch.plugins.AnalysisPlugin;

/** Character filters, tokenizers and analysers under the names and settings of analysis-common. */
final class Analysis {
  private Analysis() {}

  static Map<String, AnalysisProvider<CharFilterFactory>> charFilters() {
    return Map.of(
        "html_strip", (index, environment, name, settings) -> charFilter(name, HTMLStripCharFilter::new),
        "pattern_replace", AnalysisPlugin.requiresAnalysisSettings((index, environment, name, settings) -> {
          Pattern pattern = Pattern.compile(settings.get("pattern"));
          String replacement = settings.get("replacement", "");
          return charFilter(name, reader -> new PatternReplaceCharFilter(pattern, replacement, reader));
        }));
  }

  static Map<String, AnalysisProvider<TokenizerFactory>> tokenizers() {
    return Map.of(
        "whitespace", tokenizer(settings -> new WhitespaceTokenizer()),
        "letter", tokenizer(settings -> new LetterTokenizer()),
        "edge_ngram", tokenizer(settings -> new EdgeNGramTokenizer(settings.getAsInt("min_gram", 1), settings.getAsInt("max_gram", 2))),
        "ngram", tokenizer(settings -> new NGramTokenizer(settings.getAsInt("min_gram", 1), settings.getAsInt("max_gram", 2))),
        "pattern", tokenizer(settings -> new PatternTokenizer(Pattern.compile(settings.get("pattern", "\\W+")), settings.getAsInt("group", -1))));
  }

  static Map<String, AnalysisProvider<AnalyzerProvider<? extends Analyzer>>> analyzers() {
    return Map.of("english", (index, environment, name, settings) -> new EnglishProvider(environment, name, settings));
  }

  private static AnalysisProvider<TokenizerFactory> tokenizer(Function<Settings, Tokenizer> make) {
    return (index, environment, name, settings) -> TokenizerFactory.newFactory(name, () -> make.apply(settings));
  }

  private static CharFilterFactory charFilter(String name, UnaryOperator<Reader> wrap) {
    return new AbstractCharFilterFactory(name) {
      @Override
      public Reader create(Reader reader) {
        return wrap.apply(reader);
      }
    };
  }

  private static final class EnglishProvider extends AbstractIndexAnalyzerProvider<EnglishAnalyzer> {
    private final EnglishAnalyzer analyzer;

    EnglishProvider(Environment environment, String name, Settings settings) {
      super(name);
      CharArraySet stopWords = org.elasticsearch.index.analysis.Analysis.parseStopWords(environment, settings, EnglishAnalyzer.getDefaultStopSet());
      CharArraySet stemExclusions = org.elasticsearch.index.analysis.Analysis.parseStemExclusion(settings, CharArraySet.EMPTY_SET);
      analyzer = new EnglishAnalyzer(stopWords, stemExclusions);
    }

    @Override
    public EnglishAnalyzer get() {
      return analyzer;
    }
  }
}
