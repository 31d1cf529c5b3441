package signalmesh.test;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.core.UpperCaseFilter;
import org.apache.lucene.analysis.en.EnglishPossessiveFilter;
import org.apache.lucene.analysis.en.KStemFilter;
import org.apache.lucene.analysis.en.PorterStemFilter;
import org.apache.lucene.analysis.miscellaneous.ASCIIFoldingFilter;
import org.apache.lucene.analysis.miscellaneous.LengthFilter;
import org.apache.lucene.analysis.miscellaneous.RemoveDuplicatesTokenFilter;
import org.apache.lucene.analysis.miscellaneous.TrimFilter;
import org.apache.lucene.analysis.ngram.EdgeNGramTokenFilter;
import org.apache.lucene.analysis.ngram.NGramTokenFilter;
import org.apache.lucene.analysis.snowball.SnowballFilter;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.index.analysis.AbstractTokenFilterFactory;
import org.elasticsearch.index.analysis.NormalizingTokenFilterFactory;
import org.elasticsearch.index.analysis.TokenFilterFactory;
import org.elasticsearch.indices.analysis.AnalysisModule.AnalysisProvider;

/** Token filters under the names and settings of analysis-common. */
final class TokenFilters {
  private TokenFilters() {}

  private interface Wrap {
    TokenStream apply(Settings settings, TokenStream tokens);
  }

  static Map<String, AnalysisProvider<TokenFilterFactory>> all() {
    Map<String, AnalysisProvider<TokenFilterFactory>> filters = new HashMap<>();
    filters.put("lowercase", normalizing((settings, tokens) -> new LowerCaseFilter(tokens)));
    filters.put("uppercase", normalizing((settings, tokens) -> new UpperCaseFilter(tokens)));
    filters.put("trim", normalizing((settings, tokens) -> new TrimFilter(tokens)));
    filters.put("asciifolding", normalizing((settings, tokens) -> new ASCIIFoldingFilter(tokens, keepsOriginal(settings))));
    filters.put("edge_ngram", filter((settings, tokens) -> new EdgeNGramTokenFilter(tokens, shortest(settings), longest(settings), keepsOriginal(settings))));
    filters.put("ngram", filter((settings, tokens) -> new NGramTokenFilter(tokens, shortest(settings), longest(settings), keepsOriginal(settings))));
    filters.put("length", filter((settings, tokens) -> new LengthFilter(tokens, settings.getAsInt("min", 0), settings.getAsInt("max", Integer.MAX_VALUE))));
    filters.put("unique", filter((settings, tokens) -> new RemoveDuplicatesTokenFilter(tokens)));
    filters.put("porter_stem", filter((settings, tokens) -> new PorterStemFilter(tokens)));
    filters.put("snowball", filter((settings, tokens) -> new SnowballFilter(tokens, settings.get("language", "English"))));
    filters.put("stemmer", filter(TokenFilters::stemmer));
    return filters;
  }

  private static TokenStream stemmer(Settings settings, TokenStream tokens) {
    String language = settings.get("language", settings.get("name", "english")).toLowerCase(Locale.ROOT);
    return switch (language) {
      case "english", "porter" -> new PorterStemFilter(tokens);
      case "possessive_english" -> new EnglishPossessiveFilter(tokens);
      case "light_english" -> new KStemFilter(tokens);
      default -> new SnowballFilter(tokens, language.substring(0, 1).toUpperCase(Locale.ROOT) + language.substring(1));
    };
  }

  private static boolean keepsOriginal(Settings settings) {
    return settings.getAsBoolean("preserve_original", false);
  }

  private static int shortest(Settings settings) {
    return settings.getAsInt("min_gram", 1);
  }

  private static int longest(Settings settings) {
    return settings.getAsInt("max_gram", 2);
  }

  private static AnalysisProvider<TokenFilterFactory> filter(Wrap wrap) {
    return (index, environment, name, settings) -> new Filter(name, tokens -> wrap.apply(settings, tokens));
  }

  /** A filter that may also stand in a normalizer. */
  private static AnalysisProvider<TokenFilterFactory> normalizing(Wrap wrap) {
    return (index, environment, name, settings) -> new NormalizingFilter(name, tokens -> wrap.apply(settings, tokens));
  }

  private static class Filter extends AbstractTokenFilterFactory {
    private final UnaryOperator<TokenStream> wrap;

    Filter(String name, UnaryOperator<TokenStream> wrap) {
      super(name);
      this.wrap = wrap;
    }

    @Override
    public TokenStream create(TokenStream tokens) {
      return wrap.apply(tokens);
    }
  }

  private static final class NormalizingFilter extends Filter implements NormalizingTokenFilterFactory {
    NormalizingFilter(String name, UnaryOperator<TokenStream> wrap) {
      super(name, wrap);
    }
  }
}
